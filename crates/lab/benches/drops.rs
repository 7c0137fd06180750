//! CPU time of a drop: `cargo bench -p impulse-lab --bench drops`.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench reports on standard output")]

fn main() {
    use impulse_lab::{Conditions, Control, From, Landscape, Part, Reason, Spread, Study, normal_quantile};
    use std::path::Path;
    let files: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    for file in files {
        let part = Part::load(Path::new(&file), 1.0, 1000.0).unwrap();
        let landscape = Landscape::new(&part, 0.01);
        let conditions = Conditions { height: Spread::exactly(0.3), ..Conditions::default() };
        let mut study = Study {
            part: &part,
            landscape: &landscape,
            conditions,
            seed: 1,
            drops: 2000,
            precision: None,
            quantile: normal_quantile(0.025),
            threads: 1,
        };
        for threads in [1, 2] {
            study.threads = threads;
            let clock = std::time::Instant::now();
            let sample = study.run(From::Uniform, &Control::default(), |s| study.shares(s));
            let ms = clock.elapsed().as_secs_f64() * 1e3 / 2000.0;
            let by = |r: Reason| sample.outcomes.iter().filter(|o| o.as_ref().is_ok_and(|o| o.reason == r)).count();
            println!(
                "{file}: {threads} threads {ms:.3} ms per drop, energy {} sliding {} rest {} limit {} failed {} {:?}",
                by(Reason::Energy),
                by(Reason::Sliding),
                by(Reason::Rest),
                by(Reason::TimeLimit),
                sample.failures().count(),
                sample.failures().next()
            );
            println!(
                "  {:?}",
                study.shares(&sample).iter().map(|e| (e.probability * 1e3).round() / 1e3).collect::<Vec<_>>()
            );
        }
    }
}
