//! Requests of a browser (RFC 9112), as much as a page on loopback needs: the path that is asked for, or why it is refused.

/// Why a request is refused: the status and its reason.
pub(super) type Refusal = (u16, &'static str);

/// A request for a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// The path without the leading slash, decoded.
    pub(super) path: String,
    /// What follows the question mark, not decoded.
    pub(super) query: String,
    /// Whether only the head of the answer is wanted.
    pub(super) head_only: bool,
}

impl Request {
    /// Parses the head of a request to a server that listens on a port of loopback.
    pub(super) fn parse(head: &str, port: u16) -> Result<Self, Refusal> {
        let mut lines = head.split("\r\n");
        let mut words = lines.next().unwrap_or_default().split(' ');
        let (Some(method), Some(target), Some(version)) = (words.next(), words.next(), words.next()) else {
            return Err((400, "Bad Request"));
        };
        if words.next().is_some() || !version.starts_with("HTTP/1.") {
            return Err((400, "Bad Request"));
        }
        let hosts: Vec<&str> = lines.filter_map(host).collect();
        // Another name that leads here is another page's attempt to read ours.
        if !matches!(hosts[..], [host] if is_ours(host, port)) {
            return Err((403, "Forbidden"));
        }
        if !["GET", "HEAD"].contains(&method) {
            return Err((405, "Method Not Allowed"));
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let path = decoded(path).and_then(|path| inside(&path)).ok_or((404, "Not Found"))?;
        Ok(Self { path, query: query.to_owned(), head_only: method == "HEAD" })
    }
}

fn host(line: &str) -> Option<&str> {
    let (name, value) = line.split_once(':')?;
    name.eq_ignore_ascii_case("host").then(|| value.trim())
}

fn is_ours(host: &str, port: u16) -> bool {
    ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{port}"))
}

/// A path with its escapes resolved; `None` if they are not UTF-8 or cut short.
fn decoded(path: &str) -> Option<String> {
    let mut bytes = path.bytes();
    let mut found = Vec::with_capacity(path.len());
    while let Some(byte) = bytes.next() {
        found.push(if byte == b'%' {
            let digits = [bytes.next()?, bytes.next()?];
            let digit = |d: u8| char::from(d).to_digit(16);
            (digit(digits[0])? * 16 + digit(digits[1])?) as u8
        } else {
            byte
        });
    }
    String::from_utf8(found).ok()
}

/// A path relative to the folder; `None` if a part of it could lead elsewhere.
fn inside(path: &str) -> Option<String> {
    let relative = path.strip_prefix('/')?;
    let is_plain = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':', '\0']);
    (relative.is_empty() || relative.split('/').all(is_plain)).then(|| relative.to_owned())
}

#[cfg(test)]
mod tests {
    use super::Request;

    fn asked(line: &str, host: &str) -> Result<String, u16> {
        let head = format!("{line}\r\nHost: {host}\r\nAccept: */*\r\n\r\n");
        Request::parse(&head, 8080).map(|request| request.path).map_err(|(status, _)| status)
    }

    #[test]
    fn files_of_the_folder_are_asked_for() {
        assert_eq!(asked("GET / HTTP/1.1", "127.0.0.1:8080"), Ok(String::new()));
        assert_eq!(asked("GET /a%20b/c.png?x=/../ HTTP/1.1", "localhost:8080"), Ok("a b/c.png".to_owned()));
        let head = Request::parse("HEAD /a?b=c HTTP/1.1\r\nhost:localhost:8080\r\n\r\n", 8080).unwrap();
        assert_eq!(head, Request { path: "a".to_owned(), query: "b=c".to_owned(), head_only: true });
    }

    #[test]
    fn paths_that_lead_elsewhere_are_not_found() {
        for path in [
            "/../x",
            "/a/../../x",
            "/%2e%2e/x",
            "/a/%2E%2e%2fx",
            "//etc/passwd",
            "/..%5cx",
            "/a%00",
            "/%ff",
            "/%2",
            "/%zz",
            "x",
            "/.hidden",
            "/C:/x",
            "http://127.0.0.1:8080/x",
        ] {
            assert_eq!(asked(&format!("GET {path} HTTP/1.1"), "localhost:8080"), Err(404), "{path}");
        }
    }

    #[test]
    fn foreign_hosts_and_methods_are_refused() {
        for host in ["example.org", "localhost", "localhost:81", "127.0.0.1.example.org:8080", "[::1]:8080", ""] {
            assert_eq!(asked("GET / HTTP/1.1", host), Err(403), "{host}");
        }
        let twice = "GET / HTTP/1.1\r\nHost: localhost:8080\r\nHost: example.org\r\n\r\n";
        assert_eq!(Request::parse(twice, 8080).unwrap_err().0, 403);
        assert_eq!(Request::parse("GET / HTTP/1.1\r\n\r\n", 8080).unwrap_err().0, 403);
        assert_eq!(asked("POST / HTTP/1.1", "localhost:8080"), Err(405));
        for line in ["", "GET /", "GET / HTTP/2", "GET / HTTP/1.1 x"] {
            assert_eq!(asked(line, "localhost:8080"), Err(400), "{line}");
        }
    }
}
