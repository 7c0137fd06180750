//! `impulse view`: what it serves, what it refuses, and the page in one file.

use crate::support::{folder, repository};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

const START: &str = "<script type=\"application/json\" id=\"start\"></script>";

/// A page that is enough for the command.
fn page(name: &str) -> PathBuf {
    let page = folder(name);
    std::fs::write(page.join("index.html"), format!("<p>served</p>{START}")).unwrap();
    std::fs::write(page.join("impulse.html"), format!("<p>single</p>{START}")).unwrap();
    std::fs::write(page.join("page.js"), "let x;").unwrap();
    page
}

fn view(page: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_impulse"));
    command.arg("view").args(words).env("IMPULSE_PAGE", page).current_dir(repository());
    command
}

fn output(page: &Path, words: &[&str]) -> Output {
    view(page, words).output().unwrap()
}

/// A server that ends with the test.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(page: &Path, words: &[&str]) -> Self {
        let words = [&["--no-open"], words].concat();
        let mut child = view(page, &words).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().strip_prefix("http://127.0.0.1:").unwrap().trim_end_matches('/').parse().unwrap();
        Self { child, port }
    }

    /// Status, head and body of what is answered.
    fn ask(&self, target: &str, host: &str) -> (u16, String, String) {
        let mut connection = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(connection, "GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut text = String::new();
        connection.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head.to_owned(), body.to_owned())
    }

    fn get(&self, target: &str) -> (u16, String, String) {
        self.ask(target, &format!("127.0.0.1:{}", self.port))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_page_and_its_files_are_served_and_nothing_else() {
    let page = page("view_served");
    std::fs::write(page.parent().unwrap().join("view_secret.txt"), "secret").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("../view_secret.txt", page.join("link.txt")).unwrap();
    let server = Server::start(&page, &[]);
    let (status, head, body) = server.get("/");
    assert_eq!((status, body.contains("served"), body.contains("\"live\":false")), (200, true, true));
    assert!(head.contains("Cache-Control: no-store") && head.contains("nosniff"));
    assert_eq!(server.get("/page.js").2, "let x;");
    for path in [
        "/../view_secret.txt",
        "/%2e%2e/view_secret.txt",
        "/..%2fview_secret.txt",
        "/link.txt",
        "/",
        "//",
        "/none",
        "/scene.json",
    ]
    .iter()
    .filter(|path| **path != "/")
    {
        let (status, _, body) = server.get(path);
        assert_eq!((status, body.contains("secret")), (404, false), "{path}");
    }
    for host in ["example.org", &format!("example.org:{}", server.port), "localhost"] {
        assert_eq!(server.ask("/", host).0, 403, "{host}");
    }
    assert_eq!(server.ask("/", &format!("localhost:{}", server.port)).0, 200);
}

#[cfg(target_os = "linux")]
#[test]
fn it_listens_on_loopback_only_and_ends_on_interrupt() {
    let mut server = Server::start(&page("view_loopback"), &[]);
    let listening: Vec<String> = ["/proc/net/tcp", "/proc/net/tcp6"]
        .iter()
        .filter_map(|table| std::fs::read_to_string(table).ok())
        .flat_map(|table| table.lines().map(str::to_owned).collect::<Vec<_>>())
        .filter_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            (words.get(3) == Some(&"0A")).then(|| words[1].to_owned())
        })
        .filter(|address| address.ends_with(&format!(":{:04X}", server.port)))
        .collect();
    assert_eq!(listening, [format!("0100007F:{:04X}", server.port)]);
    let killed = Command::new("kill").args(["-INT", &server.child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert!(!server.child.wait().unwrap().success());
    assert!(TcpStream::connect(("127.0.0.1", server.port)).is_err());
}

#[test]
fn a_scene_on_disk_is_given_with_its_files_and_again_when_it_changes() {
    let page = page("view_scene");
    let scenes = folder("view_scene_files");
    std::fs::copy(repository().join("parts/bracket.obj"), scenes.join("bracket.obj")).unwrap();
    std::fs::write(scenes.join("other.obj"), "not asked for").unwrap();
    std::fs::write(scenes.join("size.rhai"), "let size = 0.001;").unwrap();
    let script = "include(\"size.rhai\");\nbody(\"part\", mesh(\"bracket.obj\"), #{ density: 1000 });";
    std::fs::write(scenes.join("my.rhai"), script).unwrap();
    let server = Server::start(&page, &[scenes.join("my.rhai").to_str().unwrap(), "--seed", "7"]);
    assert!(server.get("/").2.contains("\"live\":true"));
    let given = |query: &str| server.get(&format!("/scene.json?version={query}"));
    let scene: serde_json::Value = serde_json::from_str(&given("").2).unwrap();
    let files: Vec<&str> = scene["files"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!((files, &scene["seed"]), (vec!["bracket.obj", "my.rhai", "size.rhai"], &serde_json::json!(7)));
    let version = scene["version"].as_str().unwrap();
    assert_eq!(given(version).0, 204);
    // A mistake is given too: the page tells it.
    std::fs::write(scenes.join("size.rhai"), "let size = ;").unwrap();
    let (status, _, body) = given(version);
    assert_eq!((status, body.contains(version)), (200, false));
}

#[test]
fn a_scene_is_saved_into_one_file() {
    let page = page("view_saved");
    let scenes = folder("view_saved_files");
    let script = "// </script><!--\nbody(\"ball\", sphere(0.1), #{ mass: 1 });";
    std::fs::write(scenes.join("my.rhai"), script).unwrap();
    let file = scenes.join("run.html");
    let [scene, target] = [scenes.join("my.rhai"), file.clone()].map(|path| path.to_str().unwrap().to_owned());
    let saved = output(&page, &[&scene, "--set", "a</script>=1", "--save", &target]);
    assert!(!saved.status.success(), "the scene has no such parameter");
    let saved = output(&page, &[&scene, "--save", &target, "--until", "2"]);
    assert!(saved.status.success(), "{}", String::from_utf8_lossy(&saved.stderr));
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("single") && text.contains("\"until\":2.0"));
    assert_eq!(text.matches("</script>").count(), 1);
}

#[test]
fn what_cannot_be_shown_is_said() {
    let page = page("view_wrong");
    let told = |output: Output| (output.status.code(), String::from_utf8(output.stderr).unwrap());
    let (status, text) = told(output(&page, &["bonce"]));
    assert!(status == Some(1) && text.contains("bounce"), "{text}");
    let (status, text) = told(output(&page, &["--save", "x.html"]));
    assert!(status == Some(2) && text.contains("SCENE"), "{text}");
    let (status, text) = told(output(&folder("view_empty"), &["bounce"]));
    assert!(status == Some(1) && text.contains("cargo xtask web"), "{text}");
}
