//! Links and joints form a tree: one root, one parent for each other link, no cycle.

use super::error::{UrdfError, UrdfFault};
use super::model::{Joint, Link};

/// Links of which names are told at most.
const MOST_NAMED: usize = 5;

/// Links from the root on, parents before children, with the joint to the parent.
pub(super) fn order(file: &str, links: &[Link], joints: &[Joint]) -> Result<Vec<(usize, Option<usize>)>, UrdfError> {
    let parents = parents(file, links, joints)?;
    let mut children = vec![Vec::new(); links.len()];
    for (number, joint) in joints.iter().enumerate() {
        children[joint.parent].push(number);
    }
    let root = root(file, links, &parents)?;
    let mut order: Vec<(usize, Option<usize>)> = root.into_iter().map(|root| (root, None)).collect();
    let (mut done, mut reached) = (0, vec![false; links.len()]);
    while let Some(&(link, _)) = order.get(done) {
        reached[link] = true;
        order.extend(children[link].iter().map(|&joint| (joints[joint].child, Some(joint))));
        done += 1;
    }
    let Some(lost) = (0..links.len()).find(|link| !reached[*link]) else { return Ok(order) };
    let cycle = cycle(lost, joints, &parents);
    let joint = &joints[cycle[0]];
    let names: Vec<String> = cycle.iter().map(|number| format!("`{}`", joints[*number].name)).collect();
    let fault = UrdfFault::Cycle(names.join(", "));
    Err(at(file, joint.line, format!("<joint> `{}`", joint.name), fault))
}

/// The link that is no joint's child; none if all are.
fn root(file: &str, links: &[Link], parents: &[Option<usize>]) -> Result<Option<usize>, UrdfError> {
    let roots: Vec<usize> = (0..links.len()).filter(|link| parents[*link].is_none()).collect();
    match roots[..] {
        [] if links.is_empty() => Err(at(file, 1, "<robot>".to_owned(), UrdfFault::Empty)),
        [] => Ok(None),
        [root] => Ok(Some(root)),
        [_, second, ..] => {
            let some: Vec<String> =
                roots.iter().take(MOST_NAMED).map(|root| format!("`{}`", links[*root].name)).collect();
            let rest = roots.len().saturating_sub(MOST_NAMED);
            let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            let fault = UrdfFault::Roots(format!("{}{more}", some.join(", ")));
            Err(at(file, links[second].line, format!("<link> `{}`", links[second].name), fault))
        }
    }
}

fn at(file: &str, line: usize, element: String, fault: UrdfFault) -> UrdfError {
    UrdfError { file: file.to_owned(), line, element, attribute: None, fault: fault.into() }
}

/// The joint of each link to its parent.
fn parents(file: &str, links: &[Link], joints: &[Joint]) -> Result<Vec<Option<usize>>, UrdfError> {
    let mut parents: Vec<Option<usize>> = vec![None; links.len()];
    for (number, joint) in joints.iter().enumerate() {
        if let Some(other) = parents[joint.child] {
            let (link, other) = (links[joint.child].name.clone(), joints[other].name.clone());
            return Err(UrdfError {
                file: file.to_owned(),
                line: joint.line,
                element: format!("<child> of joint `{}`", joint.name),
                attribute: Some("link".to_owned()),
                fault: UrdfFault::TwoParents { link, other }.into(),
            });
        }
        parents[joint.child] = Some(number);
    }
    Ok(parents)
}

/// The joints of the cycle that the ancestors of a link end in.
fn cycle(lost: usize, joints: &[Joint], parents: &[Option<usize>]) -> Vec<usize> {
    let up = |link: usize| parents[link].map_or(link, |joint| joints[joint].parent);
    // After as many steps as there are links the way is in the cycle.
    let within = (0..parents.len()).fold(lost, |link, _| up(link));
    let mut cycle: Vec<usize> = parents[within].into_iter().collect();
    let mut link = up(within);
    while link != within {
        cycle.extend(parents[link]);
        link = up(link);
    }
    cycle
}
