//! Serves the page and its scene on loopback, a thread for each connection.

use super::browser;
use super::given::{Given, Scene};
use super::page::Page;
use super::request::Request;
use anyhow::Context;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Mutex;
use std::time::Duration;

/// Longest head of a request, bytes.
const LONGEST_HEAD: usize = 16 << 10;

/// How long a connection may be silent.
const PATIENCE: Duration = Duration::from_secs(10);

/// Headers of every answer.
const HEADERS: &str = "Connection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\nReferrer-Policy: no-referrer\r\n";

struct Server {
    page: Page,
    scene: Option<Scene>,
    /// Files that the scene read when it was loaded last.
    names: Mutex<Vec<String>>,
    port: u16,
}

/// Serves until the process is ended.
pub(super) fn serve(page: Page, scene: Option<Scene>, port: u16, open: bool) -> anyhow::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .with_context(|| format!("cannot listen on port {port} of this machine; choose another with --port"))?;
    let port = listener.local_addr()?.port();
    let address = format!("http://127.0.0.1:{port}/");
    let mut out = std::io::stdout().lock();
    writeln!(out, "{address}")?;
    out.flush()?;
    drop(out);
    if open && !browser::open(&address) {
        writeln!(std::io::stdout(), "no browser could be started; open the address yourself")?;
    }
    let server = Server { page, scene, names: Mutex::new(Vec::new()), port };
    std::thread::scope(|threads| {
        for connection in listener.incoming().flatten() {
            let server = &server;
            // A browser that goes away in the middle of an answer is no error.
            threads.spawn(move || server.answer(connection).ok());
        }
    });
    Ok(())
}

impl Server {
    fn answer(&self, mut connection: TcpStream) -> std::io::Result<()> {
        connection.set_read_timeout(Some(PATIENCE))?;
        connection.set_write_timeout(Some(PATIENCE))?;
        let head = read_head(&mut connection)?;
        let refused = |(status, reason): (u16, &str)| Answer { status, reason: reason.to_owned(), ..Answer::default() };
        let (answer, head_only) = match Request::parse(&head, self.port) {
            Ok(request) => (self.find(&request), request.head_only),
            Err(refusal) => (refused(refusal), false),
        };
        let length = answer.body.len();
        write!(connection, "HTTP/1.1 {} {}\r\n{HEADERS}", answer.status, answer.reason)?;
        write!(connection, "Content-Type: {}\r\nContent-Length: {length}\r\n\r\n", answer.kind)?;
        if !head_only {
            connection.write_all(&answer.body)?;
        }
        connection.flush()
    }

    fn find(&self, request: &Request) -> Answer {
        match request.path.as_str() {
            "" | "index.html" => match self.page.live(self.scene.is_some()) {
                Ok(text) => Answer::ok("text/html; charset=utf-8", text.into_bytes()),
                Err(error) => Answer::failed(&error),
            },
            "scene.json" => self.scene(&request.query),
            path => match self.page.file(path) {
                Some(body) => Answer::ok(kind(path), body),
                None => Answer { status: 404, reason: "Not Found".to_owned(), ..Answer::default() },
            },
        }
    }

    /// The scene, if it is not of the version that the page has.
    fn scene(&self, query: &str) -> Answer {
        let Some(scene) = &self.scene else {
            return Answer { status: 404, reason: "Not Found".to_owned(), ..Answer::default() };
        };
        let known = self.names.lock().map(|names| names.clone()).unwrap_or_default();
        let version = query.strip_prefix("version=").unwrap_or_default();
        let same = |given: &Given| given.version() == version;
        if scene.with_files(known.clone()).is_ok_and(|given| same(&given)) {
            return Answer { status: 204, reason: "No Content".to_owned(), ..Answer::default() };
        }
        // A scene with a mistake is given with the files it had, so that the page tells what is wrong.
        let read = scene.read().or_else(|_| scene.with_files(known)).or_else(|_| scene.with_files(Vec::new()));
        match read {
            Ok(given) => {
                if let Ok(mut names) = self.names.lock() {
                    *names = given.names();
                }
                Answer::ok("application/json", given.json().to_string().into_bytes())
            }
            Err(error) => Answer::failed(&error),
        }
    }
}

#[derive(Default)]
struct Answer {
    status: u16,
    reason: String,
    kind: &'static str,
    body: Vec<u8>,
}

impl Answer {
    fn ok(kind: &'static str, body: Vec<u8>) -> Self {
        Self { status: 200, reason: "OK".to_owned(), kind, body }
    }

    fn failed(error: &anyhow::Error) -> Self {
        let (status, reason) = (500, "Internal Server Error".to_owned());
        Self { status, reason, kind: "text/plain; charset=utf-8", body: format!("{error:#}").into_bytes() }
    }
}

/// Reads up to the empty line that ends a head.
fn read_head(connection: &mut TcpStream) -> std::io::Result<String> {
    let mut head = Vec::new();
    let mut part = [0; 2048];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") && head.len() < LONGEST_HEAD {
        let count = connection.read(&mut part)?;
        if count == 0 {
            break;
        }
        head.extend_from_slice(&part[..count]);
    }
    Ok(String::from_utf8_lossy(&head).into_owned())
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}
