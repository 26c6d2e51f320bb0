//! The default port, which may be in use.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::process::{Command, Stdio};

use crate::process::PROGRAM;

#[test]
fn reports_that_the_default_port_is_in_use() {
    // If another program has the port, it is in use too.
    let _used = TcpListener::bind("127.0.0.1:8085");
    let mut command = Command::new(PROGRAM);
    let mut child = command
        .arg("sandbox")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut first = String::new();
    BufReader::new(child.stdout.as_mut().unwrap())
        .read_line(&mut first)
        .unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let mut errors = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut errors)
        .unwrap();
    let port = first
        .trim_end()
        .strip_prefix("api: http://127.0.0.1:")
        .expect("the address");
    assert_ne!(port, "8085");
    assert_eq!(errors, format!("8085 is in use, listening on {port}\n"));
}
