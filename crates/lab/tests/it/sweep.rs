//! Trials of studies that go wrong: each is a row, and the next is as if nothing had been.

use impulse::world::Settings;
use impulse_lab::sweep::{Design, Row, Task, Worker};
use impulse_lab::{Control, Trials, run_chunks};
use impulse_scenes::SceneSource;
use std::sync::Mutex;

const SCENE: &str = "duration(0.3);
let wood = material(#{ friction: 0.4, restitution: 0.4 });
body(\"floor\", half_space([0, 0, 1], 0), #{ fixed: true, material: wood });
body(\"box\", cuboid(0.1, 0.08, 0.06), #{ at: [0, 0, 0.2], rotation: rand_rotation(), density: 700, material: wood });
report(\"level\", |w| w.body(\"box\").centre[2]);
";

fn task() -> Task {
    Task {
        source: SceneSource::Text { name: "a.rhai".to_owned(), text: SCENE.to_owned() },
        set: Vec::new(),
        varied: Vec::new(),
        reports: vec!["level".to_owned()],
        until: None,
        limit: u64::MAX,
        settings: Settings::default(),
    }
}

fn design(trials: u64) -> Design {
    Design { axes: Vec::new(), samples: 1, trials, seed: 5, paired: false }
}

/// `stop` is asked from inside the run, so that a panic there unwinds through the worker as one of the engine would.
#[test]
fn a_trial_that_panics_is_a_row_and_leaves_nothing_behind() {
    let (task, design) = (task(), design(3));
    let mut worker = Worker::new(&task);
    let first = worker.run(0, design.point(0), &|| false);
    let broken = worker.run(1, design.point(1), &|| panic!("the {}nd trial", 2));
    assert_eq!((broken.trial, broken.seed, broken.end.as_str()), (1, design.point(1).seed, "failed"));
    assert_eq!(broken.error, "a bug, please report it: the 2nd trial");
    assert_eq!((broken.reports, broken.trace_hash.as_str()), (vec![None], ""));
    for (i, known) in [(0, Some(first)), (2, None)] {
        let fresh = Worker::new(&task).run(i, design.point(i), &|| false);
        assert_eq!(worker.run(i, design.point(i), &|| false), fresh);
        assert!(fresh.error.is_empty() && known.is_none_or(|row| row == fresh));
    }
}

/// A study in memory, whose results cannot be kept from some trial on.
struct Study<'a> {
    task: &'a Task,
    design: Design,
    rows: Mutex<Vec<Row>>,
    full_at: u64,
}

impl<'a> Trials for Study<'a> {
    type State = Worker<'a>;
    type Output = Row;
    type Error = String;

    fn begin(&self) -> Worker<'a> {
        Worker::new(self.task)
    }

    fn run(&self, worker: &mut Worker<'a>, trial: u64) -> Row {
        worker.run(trial, self.design.point(trial), &|| {
            assert!(trial != 9, "nine");
            false
        })
    }

    fn is_due(&self, _: &Worker<'a>) -> bool {
        false
    }

    fn put(&self, _: &mut Worker<'a>, first: u64, results: Vec<Row>) -> Result<(), String> {
        if first + results.len() as u64 > self.full_at {
            return Err("no space left".to_owned());
        }
        self.rows.lock().unwrap().extend(results);
        Ok(())
    }
}

fn rows(threads: usize, full_at: u64) -> (Result<(), String>, Vec<Row>) {
    let task = task();
    let study = Study { task: &task, design: design(24), rows: Mutex::default(), full_at };
    let chunks: Vec<_> = (0..24).step_by(4).map(|first| first..first + 4).collect();
    let done = run_chunks(&study, &chunks, threads, &Control::default());
    let mut rows = study.rows.into_inner().unwrap();
    rows.sort_by_key(|row| row.trial);
    (done, rows)
}

#[test]
fn a_panic_among_many_trials_is_one_row_at_any_number_of_threads() {
    let (done, expected) = rows(1, 24);
    assert_eq!((done, expected.len()), (Ok(()), 24));
    let failed: Vec<_> = expected.iter().filter(|row| !row.error.is_empty()).map(|row| row.trial).collect();
    assert_eq!(failed, [9]);
    for threads in [2, 5] {
        assert_eq!(rows(threads, 24), (Ok(()), expected.clone()));
    }
}

#[test]
fn results_that_cannot_be_kept_stop_the_study() {
    let (done, rows) = rows(2, 12);
    assert_eq!(done, Err("no space left".to_owned()));
    assert!(rows.len() <= 12 && rows.iter().all(|row| row.trial < 12));
}

/// A thread that dies is not a thread that is done.
#[test]
#[should_panic(expected = "the thread of trial 17")]
fn a_panic_outside_of_trials_is_not_swallowed() {
    struct Broken;
    impl Trials for Broken {
        type State = ();
        type Output = ();
        type Error = String;
        fn begin(&self) {}
        fn run(&self, (): &mut (), trial: u64) {
            assert!(trial != 17, "the thread of trial {trial}");
        }
        fn is_due(&self, (): &()) -> bool {
            false
        }
        fn put(&self, (): &mut (), _: u64, _: Vec<()>) -> Result<(), String> {
            Ok(())
        }
    }
    // Which thread meets trial 17 is left to chance; all but one used to lose the panic.
    let chunks: Vec<_> = (0..40).map(|i| i..i + 1).collect();
    let _ = run_chunks(&Broken, &chunks, 8, &Control::default());
}
