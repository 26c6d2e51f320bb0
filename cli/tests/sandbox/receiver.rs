//! A receiver of webhooks.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

/// A received message, unchanged.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

/// A server in a thread, which answers with the given statuses one after the other, and then with
/// 200.
pub(crate) struct Receiver {
    pub(crate) url: String,
    messages: Arc<Mutex<Vec<Message>>>,
}

impl Receiver {
    pub(crate) fn start(statuses: &[u16]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let messages = Arc::new(Mutex::new(Vec::new()));
        let (kept, mut statuses) = (
            Arc::clone(&messages),
            VecDeque::from_iter(statuses.iter().copied()),
        );
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut lines = Vec::new();
                loop {
                    let mut line = String::new();
                    reader.read_line(&mut line).unwrap();
                    if line.trim().is_empty() {
                        break;
                    }
                    lines.push(line.trim().to_owned());
                }
                let headers: Vec<(String, String)> = lines
                    .iter()
                    .filter_map(|line| line.split_once(": "))
                    .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
                    .collect();
                let length = headers.iter().find(|(name, _)| name == "content-length");
                let mut body = vec![0; length.map_or(0, |(_, length)| length.parse().unwrap())];
                reader.read_exact(&mut body).unwrap();
                kept.lock().unwrap().push(Message {
                    headers,
                    body: String::from_utf8(body).unwrap(),
                });
                let status = statuses.pop_front().unwrap_or(200);
                write!(
                    stream,
                    "HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
                )
                .unwrap();
            }
        });
        Self { url, messages }
    }

    pub(crate) fn messages(&self) -> Vec<Message> {
        self.messages.lock().unwrap().clone()
    }
}
