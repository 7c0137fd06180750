//! Tables of trace hashes: a line for each scene, compared with what a test finds, and renewed by `cargo xtask bless REASON`.

use std::fmt::Write;
use std::path::PathBuf;

/// If this environment variable is set, what was found is written instead of compared.
const BLESS: &str = "IMPULSE_BLESS";

/// How a scene ran.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trace {
    /// The scene, a single word.
    pub(crate) name: String,
    /// How far it runs, in the unit that the table's head says.
    pub(crate) until: f64,
    /// A hash of everything that happened until then.
    pub(crate) hash: u64,
}

/// A file in `tests/data`: comments that begin with `#`, then lines `name until hash`, sorted.
pub(crate) struct TraceTable {
    path: PathBuf,
    head: String,
    traces: Vec<Trace>,
}

impl TraceTable {
    pub(crate) fn read(file: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(file);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let (head, lines): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with('#'));
        let trace = |line: &&str| parsed(line).unwrap_or_else(|| panic!("{}: {line}", path.display()));
        let traces = lines.iter().map(trace).collect();
        Self { head: head.iter().map(|line| format!("{line}\n")).collect(), traces, path }
    }

    /// How far a scene runs; `None` for one that is not in the table.
    pub(crate) fn until(&self, name: &str) -> Option<f64> {
        self.traces.iter().find(|trace| trace.name == name).map(|trace| trace.until)
    }

    /// Panics if the scenes found are not those of the table, or ran differently.
    #[track_caller]
    pub(crate) fn check(&self, mut found: Vec<Trace>) {
        found.sort_by(|a, b| a.name.cmp(&b.name));
        if std::env::var_os(BLESS).is_some() {
            std::fs::write(&self.path, self.text(&found)).unwrap_or_else(|e| panic!("{}: {e}", self.path.display()));
            return;
        }
        let complaints = self.complaints(&found);
        assert!(
            complaints.is_empty(),
            "{} differs:\n{complaints}if that is meant, `cargo xtask bless \"REASON\"` renews it and notes it in the changelog",
            self.path.file_name().unwrap_or_default().display(),
        );
    }

    fn complaints(&self, found: &[Trace]) -> String {
        let mut text = String::new();
        for Trace { name, hash, .. } in found {
            match self.traces.iter().find(|known| known.name == *name) {
                None => writeln!(text, "  {name}: not in the table; it has {hash:016x}"),
                Some(known) if known.hash != *hash => writeln!(text, "  {name}: {hash:016x}, not {:016x}", known.hash),
                Some(_) => Ok(()),
            }
            .unwrap_or_default();
        }
        for known in self.traces.iter().filter(|known| found.iter().all(|trace| trace.name != known.name)) {
            writeln!(text, "  {}: in the table, but there is no such scene", known.name).unwrap_or_default();
        }
        text
    }

    fn text(&self, found: &[Trace]) -> String {
        let line = |Trace { name, until, hash }: &Trace| format!("{name} {until} {hash:016x}\n");
        std::iter::once(self.head.clone()).chain(found.iter().map(line)).collect()
    }
}

fn parsed(line: &str) -> Option<Trace> {
    let [name, until, hash] = line.split(' ').collect::<Vec<_>>().try_into().ok()?;
    Some(Trace { name: name.to_owned(), until: until.parse().ok()?, hash: u64::from_str_radix(hash, 16).ok()? })
}

/// A changed, a new and a lost scene are all named.
#[test]
fn the_table_tells_what_differs() {
    let known =
        ["a 1 00000000000000ff", "b 0.5 0000000000000001", "c 1 0000000000000002"].map(|line| parsed(line).unwrap());
    let table = TraceTable { path: PathBuf::new(), head: "# head\n".to_owned(), traces: known.to_vec() };
    assert_eq!((table.complaints(&known).as_str(), table.until("b"), table.until("d")), ("", Some(0.5), None));
    let found =
        ["a 1 00000000000000fe", "b 0.5 0000000000000001", "d 1 0000000000000003"].map(|line| parsed(line).unwrap());
    let wanted = "  a: 00000000000000fe, not 00000000000000ff
  d: not in the table; it has 0000000000000003
  c: in the table, but there is no such scene
";
    assert_eq!(table.complaints(&found), wanted);
    assert_eq!(table.text(&known[1..]), "# head\nb 0.5 0000000000000001\nc 1 0000000000000002\n");
    assert_eq!(parsed("a 1"), None);
}
