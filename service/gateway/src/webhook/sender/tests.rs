//! The sender against real servers on this machine, the ill-behaved ones too.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use axum::Router;
use axum::extract::State;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::Instant;

use super::*;
use crate::webhook::verify;

const BODY: &str = r#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","state":"completed"}"#;

fn config(total: u64) -> SenderConfig {
    SenderConfig {
        timeouts: Timeouts {
            connect: Duration::from_millis(total),
            total: Duration::from_millis(total),
        },
        targets: Targets {
            allowed: vec!["127.0.0.1/32".parse().unwrap()],
            plain_http: true,
        },
        authorities: None,
        only_authorities: false,
    }
}

fn sender() -> Sender {
    Sender::new(config(5_000)).unwrap()
}

fn delivery(url: String) -> Delivery {
    let secrets = vec!["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse().unwrap()];
    Delivery {
        id: "evt_1".into(),
        url,
        body: BODY.into(),
        secrets,
    }
}

async fn listen() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

type Received = (String, HeaderMap, Bytes);

/// Starts a server that answers by the path, `/503?retry-after=7`, and returns the requests that it
/// has received.
async fn receiver() -> (SocketAddr, UnboundedReceiver<Received>) {
    async fn answer(
        State(sender): State<UnboundedSender<Received>>,
        uri: axum::http::Uri,
        headers: HeaderMap,
        body: Bytes,
    ) -> Response {
        sender.send((uri.path().to_owned(), headers, body)).unwrap();
        let status = StatusCode::from_bytes(&uri.path().as_bytes()[1..]).unwrap();
        let retry_after = uri
            .query()
            .and_then(|query| query.strip_prefix("retry-after="));
        match retry_after {
            Some(value) => (status, [(RETRY_AFTER, value.replace('+', " "))]).into_response(),
            None if status.is_redirection() => (status, [(LOCATION, "/200")]).into_response(),
            None => (status, "x".repeat(100_000)).into_response(),
        }
    }
    let (sender, received) = unbounded_channel();
    let (listener, address) = listen().await;
    let router = Router::new().fallback(answer).with_state(sender);
    tokio::spawn(async move { axum::serve(listener, router).await });
    (address, received)
}

/// Starts a server that runs a function on each connection after the request.
async fn raw<F: Future<Output = ()> + Send>(
    act: impl Fn(TcpStream) -> F + Copy + Send + 'static,
) -> SocketAddr {
    let (listener, address) = listen().await;
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                parse_request(&mut stream).await;
                act(stream).await;
            });
        }
    });
    address
}

async fn parse_request(stream: &mut (impl AsyncReadExt + Unpin)) {
    let mut bytes = Vec::new();
    while !bytes.ends_with(BODY.as_bytes()) {
        if stream.read_buf(&mut bytes).await.unwrap() == 0 {
            break;
        }
    }
}

/// A name server with the answers in this order; the last one stays.
struct Names {
    answers: Mutex<VecDeque<&'static [&'static str]>>,
    asked: Arc<AtomicU32>,
}

#[async_trait]
impl DnsLookup for Names {
    async fn lookup(&self, _: &str) -> io::Result<Vec<SocketAddr>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.answers.lock().unwrap();
        let answer = if answers.len() > 1 {
            answers.pop_front()
        } else {
            answers.front().copied()
        };
        let answer = answer.ok_or(io::ErrorKind::NotFound)?;
        Ok(answer
            .iter()
            .map(|text| SocketAddr::new(text.parse::<IpAddr>().unwrap(), 0))
            .collect())
    }
}

fn names(config: SenderConfig, answers: &[&'static [&'static str]]) -> (Sender, Arc<AtomicU32>) {
    let asked = Arc::new(AtomicU32::new(0));
    let names = Names {
        answers: Mutex::new(answers.iter().copied().collect()),
        asked: Arc::clone(&asked),
    };
    (Sender::with_lookup(config, names).unwrap(), asked)
}

#[tokio::test]
async fn what_arrives_is_signed_and_whole() {
    let (address, mut received) = receiver().await;
    let delivery = delivery(format!("http://{address}/204"));
    assert_eq!(
        sender().deliver(&delivery).await,
        Ok(Delivered { status: 204 })
    );
    let (_, headers, body) = received.recv().await.unwrap();
    assert_eq!(body, BODY.as_bytes());
    assert_eq!(headers[CONTENT_TYPE], "application/json");
    assert_eq!(headers["webhook-id"], "evt_1");
    verify(&delivery.secrets, &headers, &body, SystemTime::now()).unwrap();
}

#[tokio::test]
async fn statuses() {
    let (address, mut received) = receiver().await;
    let sender = sender();
    for (path, expected) in [
        ("200", Ok(Delivered { status: 200 })),
        ("299", Ok(Delivered { status: 299 })),
        ("410", Err(Failure::Gone)),
        (
            "301",
            Err(Failure::Status {
                status: 301,
                retry_after: None,
            }),
        ),
        (
            "307",
            Err(Failure::Status {
                status: 307,
                retry_after: None,
            }),
        ),
        (
            "404",
            Err(Failure::Status {
                status: 404,
                retry_after: None,
            }),
        ),
        (
            "500",
            Err(Failure::Status {
                status: 500,
                retry_after: None,
            }),
        ),
        (
            "503?retry-after=7",
            Err(Failure::Status {
                status: 503,
                retry_after: Some(Duration::from_secs(7)),
            }),
        ),
        (
            "429?retry-after=soon",
            Err(Failure::Status {
                status: 429,
                retry_after: None,
            }),
        ),
        (
            "503?retry-after=Sun,+06+Nov+1994+08:49:37+GMT",
            Err(Failure::Status {
                status: 503,
                retry_after: Some(Duration::ZERO),
            }),
        ),
    ] {
        assert_eq!(
            sender
                .deliver(&delivery(format!("http://{address}/{path}")))
                .await,
            expected,
            "{path}"
        );
        assert_eq!(received.recv().await.unwrap().0, format!("/{}", &path[..3]));
        assert!(
            received.try_recv().is_err(),
            "{path}: one request and no more, a redirect is not followed"
        );
    }
}

#[test]
fn retry_after_is_seconds_or_a_date() {
    let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
    for (text, expected) in [
        ("120", Some(120)),
        (" 0 ", Some(0)),
        ("99999999999999999999", Some(u64::MAX)),
        ("Sun, 06 Nov 1994 09:49:37 GMT", Some(3600)),
        ("Sun, 06 Nov 1994 07:49:37 GMT", Some(0)),
        ("", None),
        ("-1", None),
        ("1.5", None),
    ] {
        let headers = HeaderMap::from_iter([(RETRY_AFTER, text.parse().unwrap())]);
        assert_eq!(
            retry_after(&headers, now),
            expected.map(Duration::from_secs),
            "{text:?}"
        );
    }
}

#[tokio::test]
async fn a_receiver_that_never_answers() {
    let silent = raw(|stream| async move {
        let _stream = stream;
        std::future::pending::<()>().await;
    });
    let dripping = raw(|mut stream| async move {
        // A byte now and then keeps the connection alive, and must not keep the sender.
        while stream.write_all(b"H").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    let sender = Sender::new(config(400)).unwrap();
    let asked = Instant::now();
    assert_eq!(
        sender
            .deliver(&delivery(format!("http://{}/", silent.await)))
            .await,
        Err(Failure::Timeout)
    );
    let failure = sender
        .deliver(&delivery(format!("http://{}/", dripping.await)))
        .await
        .unwrap_err();
    assert!(
        matches!(failure, Failure::Timeout | Failure::Broken),
        "{failure:?}"
    );
    assert!(asked.elapsed() < Duration::from_secs(3));
}

#[tokio::test]
async fn an_endless_answer_is_not_read() {
    let endless = raw(|mut stream| async move {
        let head = b"HTTP/1.1 200 OK\r\ncontent-length: 9000000000000\r\n\r\n";
        stream.write_all(head).await.unwrap();
        while stream.write_all(&[b'x'; 4096]).await.is_ok() {}
    });
    let delivery = delivery(format!("http://{}/", endless.await));
    let asked = Instant::now();
    assert_eq!(
        sender().deliver(&delivery).await,
        Ok(Delivered { status: 200 })
    );
    assert!(asked.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn a_receiver_that_hangs_up_or_speaks_no_http() {
    let hangs_up = raw(|stream| async move { drop(stream) }).await;
    let garbage = raw(|mut stream| async move {
        stream
            .write_all(b"220 mail.example ESMTP\r\n")
            .await
            .unwrap()
    })
    .await;
    for address in [hangs_up, garbage] {
        assert_eq!(
            sender()
                .deliver(&delivery(format!("http://{address}/")))
                .await,
            Err(Failure::Broken)
        );
    }
    let (listener, nobody) = listen().await;
    drop(listener);
    assert_eq!(
        sender()
            .deliver(&delivery(format!("http://{nobody}/")))
            .await,
        Err(Failure::Connect)
    );
}

#[tokio::test]
async fn connects_to_the_addresses_that_were_checked() {
    let (address, mut received) = receiver().await;
    let port = address.port();
    let to = |path: &str| delivery(format!("http://shop.example:{port}/{path}"));

    // The name is resolved once, not again for the connection.
    let (sender, asked) = names(config(5_000), &[&["127.0.0.1"], &["127.0.0.2"]]);
    assert_eq!(
        sender.deliver(&to("200")).await,
        Ok(Delivered { status: 200 })
    );
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    assert_eq!(
        received.recv().await.unwrap().1["host"],
        format!("shop.example:{port}")
    );

    for (answer, expected) in [
        (&["127.0.0.2"] as &[_], Failure::Resolved),
        (&["127.0.0.1", "10.0.0.1"], Failure::Resolved),
        (&["127.0.0.1", "::ffff:127.0.0.1"], Failure::Resolved),
        (&["169.254.169.254"], Failure::Resolved),
        (&[], Failure::Unresolved),
    ] {
        let (sender, _) = names(config(5_000), &[answer]);
        let failure = sender.deliver(&to("200")).await.unwrap_err();
        assert_eq!(failure, expected, "{answer:?}");
        assert!(!failure.is_final(), "names change");
    }
    let (sender, _) = names(config(5_000), &[]);
    assert_eq!(sender.deliver(&to("200")).await, Err(Failure::Unresolved));
    assert!(received.try_recv().is_err(), "nothing was sent");
}

#[tokio::test]
async fn checks_targets_before_they_are_resolved() {
    let (address, mut received) = receiver().await;
    let strict = Sender::new(SenderConfig::default()).unwrap();
    let port = address.port();
    for host in [
        "127.0.0.1",
        "127.1",
        "[::ffff:127.0.0.1]",
        "localhost",
        "api.internal",
    ] {
        let failure = strict
            .deliver(&delivery(format!("http://{host}:{port}/200")))
            .await
            .unwrap_err();
        assert_eq!(failure, Failure::Target(TargetError::PrivateHost), "{host}");
        assert!(failure.is_final(), "{host}");
    }
    assert!(received.try_recv().is_err());
    let unsigned = Delivery {
        secrets: vec![],
        ..delivery(format!("http://{address}/200"))
    };
    let failure = sender().deliver(&unsigned).await.unwrap_err();
    assert!(
        matches!(&failure, Failure::Message(error) if error.path() == "/secrets"),
        "{failure}"
    );
}

/// Runs another test with proxies in its environment, which a process must not change in itself.
#[test]
fn the_environment_names_no_proxy() {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args([
        "--exact",
        "webhook::sender::tests::what_arrives_is_signed_and_whole",
    ]);
    for name in [
        "http_proxy",
        "HTTP_PROXY",
        "https_proxy",
        "HTTPS_PROXY",
        "all_proxy",
        "ALL_PROXY",
    ] {
        child.env(name, "http://127.0.0.1:9");
    }
    let output = child
        .env_remove("no_proxy")
        .env_remove("NO_PROXY")
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && printed.contains("1 passed"),
        "{printed}"
    );
}

#[tokio::test]
async fn tls_by_whom_it_trusts() {
    let certified = rcgen::generate_simple_self_signed(vec!["shop.example".to_owned()]).unwrap();
    let key =
        rustls::pki_types::PrivateKeyDer::try_from(certified.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let server = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certified.cert.der().clone()], key)
        .unwrap();
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(server));
    let (listener, address) = listen().await;
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(mut stream) = acceptor.accept(stream).await else {
                    return;
                };
                parse_request(&mut stream).await;
                stream
                    .write_all(b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n")
                    .await
                    .unwrap();
            });
        }
    });
    let to = |host: &str| delivery(format!("https://{host}:{}/", address.port()));
    let trusting = || SenderConfig {
        authorities: Some(certified.cert.pem().into_bytes()),
        ..config(5_000)
    };
    let (sender, _) = names(trusting(), &[&["127.0.0.1"]]);
    assert_eq!(
        sender.deliver(&to("shop.example")).await,
        Ok(Delivered { status: 202 })
    );
    assert_eq!(
        sender.deliver(&to("other.example")).await,
        Err(Failure::Connect),
        "the name of another"
    );
    let (strange, _) = names(config(5_000), &[&["127.0.0.1"]]);
    assert_eq!(
        strange.deliver(&to("shop.example")).await,
        Err(Failure::Connect),
        "an authority that is not trusted"
    );
    let broken = SenderConfig {
        authorities: Some(b"-----BEGIN CERTIFICATE-----".to_vec()),
        ..config(5_000)
    };
    assert!(Sender::new(broken).is_err());
}

#[tokio::test]
async fn nothing_secret_is_shown() {
    let (sender, _) = names(config(500), &[&["10.0.0.1"]]);
    let delivery = delivery("http://shop.example/?token=hush".into());
    let failure = sender.deliver(&delivery).await.unwrap_err();
    for text in [
        format!("{delivery:?}"),
        format!("{failure:?} {failure}"),
        format!("{sender:?}"),
    ] {
        for hidden in ["hush", "shop.example", "whsec", "MfKQ", "completed"] {
            assert!(!text.contains(hidden), "{text}");
        }
    }
}
