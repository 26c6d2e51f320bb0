//! Tests of URIs.

use alloc::format;

use super::*;

/// Returns the first rule that the text breaks if the policy allows every scheme except
/// `javascript`.
pub(super) fn verdict(text: &str) -> &'static str {
    let Some(uri) = Uri::split(text).filter(Uri::has_valid_characters) else {
        return "syntax";
    };
    match uri.authority() {
        _ if uri.scheme == "javascript" => "scheme",
        Authority {
            invalid: Some(_), ..
        } => "authority",
        Authority {
            has_credentials: true,
            ..
        } => "credentials",
        authority if authority.has_private_host() => "private",
        Authority {
            host: Host::Name(""),
            ..
        } => "without a host",
        _ => "valid",
    }
}

fn all(expected: &str, texts: &[&str]) {
    for text in texts {
        assert_eq!(verdict(text), expected, "{text}");
        let is_active = Uri::split(text).is_some_and(|uri| is_active_scheme(uri.scheme));
        let is_absolute = !is_active && !matches!(expected, "syntax" | "authority");
        assert_eq!(is_absolute_uri(text), is_absolute, "{text}");
    }
}

#[test]
fn accepts_absolute_uris() {
    all(
        "valid",
        &[
            "https://shop.example/callback",
            "http://a.b",
            "HTTPS://SHOP.EXAMPLE:443/",
            "a+b-c.1://h.x",
            "https://h.x?",
            "https://h.x#",
            "https://h.x?q#f",
            "https://h.x/a;b=c/%7E/!$&'()*+,;=:@~_-.?a=b&c",
            "https://h.x/?a/b?c:@#d/e?f:@",
            "https://h.x:",
            "https://h.x:/",
            "https://h.x:0",
            "https://h.x:65535/p",
            "https://h.x:000000000000000000065535",
            "https://xn--e1afmkfd.xn--p1ai/",
            "myapp://%D0%BF%D1%80%D0%B8.example/",
            "myapp://ex%61mple.com/",
            "https://h.x/%6cocalhost?%41#%42",
            "https://a_b.example",
            "https://.",
            "https://..",
            "https://h.x./",
            "https://8.8.8.8/",
            "https://1.2.3.4.5/",
            "https://256.1.1.1/",
            "https://[2a00::1]/",
            "https://[2A00::1]:8443/x",
            "https://[2a00:2:3:4:5:6:7::]",
            "https://[2a00::4:5:6:7:8]",
            "https://[2a00:2:3:4:5:6:8.8.8.8]:",
            "https://[v1.a:b]",
            "https://[VfF.!$&'()*+,;=~:]:1/",
        ],
    );
}

#[test]
fn rejects_other_characters_and_texts_without_scheme() {
    all(
        "syntax",
        &[
            "",
            ":",
            "://h",
            "https",
            "shop.example/callback",
            "//shop.example/callback",
            "/callback",
            "1http://h",
            "+http://h",
            "ht_tp://h",
            "ht%74p://h",
            " https://h",
            "https://h ",
            "https://h/a b",
            "https://h/\t",
            "https://h/\n",
            "https://h/\0",
            "https://h/\u{7F}",
            "https://h/\"",
            "https://h/<",
            "https://h/>",
            "https://h/\\",
            "https:\\\\h",
            "https://h/^",
            "https://h/`",
            "https://h/{x}",
            "https://h/|",
            "https://пример.рф/",
            "https://h/путь",
            "hттps://h/",
            "https://h/%",
            "https://h/%2",
            "https://h/%2g",
            "https://h/%%20",
            "https://h/%2%30",
            "https://%zz/",
            "https://h/?%",
            "javascript:alert(\"1\")",
        ],
    );
}

#[test]
fn names_the_part_that_is_not_valid() {
    for (reason, texts) in [
        (
            "scheme",
            &["", "h/p", "//h/", "1https://h/", " https://h/", "é:", ":"][..],
        ),
        (
            "character",
            &[
                "https://h/ ",
                "https://h é/",
                "https://h/%2",
                "mailto:a b",
                "https://h/[",
                "https://h#a#b",
                "myapp:a[b]",
                "https:h[",
                "https://u[@h",
                "https://[::1]@h",
                "https:// :x",
            ],
        ),
        (
            "host",
            &[
                "https:",
                "https:h",
                "https://",
                "https:///p",
                "https://:80",
                "https://u@",
                "https://%41/",
                "https://%41:65536/",
                "https://:65536",
                "https://a@b@c",
                "https://[::1",
                "https://[x]",
                "https://[::1]x",
                "https://h[/",
                "https://a@b@c:x",
            ],
        ),
        (
            "port",
            &[
                "https://h:65536",
                "https://h:x/",
                "https://[::1]:x",
                "https://[::1]:65536",
                "myapp://h:x",
                "x://:65536",
            ],
        ),
    ] {
        for text in texts {
            let invalid = match Uri::split(text) {
                None => Some(UriPart::Scheme),
                Some(uri) if !uri.has_valid_characters() => Some(UriPart::Character),
                Some(uri) => uri.authority().invalid,
            };
            assert_eq!(invalid.map(UriPart::name), Some(reason), "{text}");
        }
    }
}

#[test]
fn requires_no_host_of_other_schemes() {
    all(
        "without a host",
        &[
            "myapp:",
            "myapp:done",
            "myapp:/done",
            "myapp://",
            "myapp:///done",
            "myapp://:80",
            "myapp:?a#b",
            "mailto:someone@example.com",
            "bank100000000111://",
            "bank100000000111:%41",
        ],
    );
    all(
        "authority",
        &[
            "myapp:a[b]",
            "myapp:#a#b",
            "myapp://:65536",
            "myapp://h:x",
            "myapp://h/[",
            "myapp://a@b@c",
        ],
    );
    all("credentials", &["myapp://%41@h"]);
    assert_eq!(
        ["myapp://@", "myapp://a@:1"].map(verdict),
        ["credentials"; 2]
    );
}

#[test]
fn rejects_percent_encoded_hosts_of_http_and_https() {
    for scheme in ["http", "https", "HTTPS", "hTTp"] {
        for host in [
            "%6cocalhost",
            "127%2e0.0.1",
            "%31%32%37.1",
            "ex%61mple.com",
            "h%00",
            "u@%6cocalhost",
            "%41:80",
        ] {
            all(
                "authority",
                &[
                    &format!("{scheme}://{host}/"),
                    &format!("{scheme}://{host}"),
                ],
            );
        }
        all("credentials", &[&format!("{scheme}://%41@h/")]);
    }
    all("valid", &["myapp://%6cocalhost/", "myapp://127%2e0.0.1/"]);
}

#[test]
fn rejects_the_scheme_before_the_host() {
    all(
        "scheme",
        &[
            "javascript:alert(1)",
            "javascript://",
            "javascript:",
            "javascript:a[1]",
            "javascript:#a#",
        ],
    );
}

#[test]
fn rejects_an_invalid_authority() {
    all(
        "authority",
        &[
            "https:",
            "https:/",
            "https://",
            "https:h",
            "https:/h",
            "https:///path",
            "https://?q",
            "https://#f",
            "https://:80",
            "https://user@",
            "https://user@:80/",
            "https://@",
            "https://a@b@c",
            "https://a:b:c",
            "https://h:65536",
            "https://h:99999999999999999999999",
            "https://h:8x",
            "https://h:-1",
            "https://h:80:80",
            "https://h:%38",
            "https://h#a#b",
            "https://h/[",
            "https://h/?a[]=1",
            "https://h/#]",
            "https://h[",
            "https://[",
            "https://]",
            "https://[]",
            "https://[::1",
            "https://::1]",
            "https://::1/",
            "https://[::1]x",
            "https://[::1]:x",
            "https://[::1]:65536",
            "https://[::1]]",
            "https://[[::1]]",
            "https://a[::1]",
            "https://[@::1]",
            "https://[::1]@h",
            "https://u[@h",
            "https://[::1%25eth0]/",
            "https://[fe80::1%25en0]/",
            "https://[1:2:3:4:5:6:7]",
            "https://[1:2:3:4:5:6:7:8:9]",
            "https://[1::2::3]",
            "https://[1:2:3:4::5:6:7:8]",
            "https://[12345::]",
            "https://[g::]",
            "https://[::1.2.3]",
            "https://[::1.2.3.04]",
            "https://[::256.1.1.1]",
            "https://[1.2.3.4]",
            "https://[v.x]",
            "https://[v1]",
            "https://[v1.]",
            "https://[vg.x]",
            "https://[v1.x%41]",
            "https://[v1.x@y]",
            "https://[v1.x[y]",
        ],
    );
}

#[test]
fn finds_credentials() {
    all(
        "credentials",
        &[
            "https://user@h",
            "https://user:password@h/",
            "https://@h",
            "https://:@h:1",
            "https://a:b:c@h",
            "https://%41!$&'()*+,;=@h",
            "https://user@localhost/",
            "https://user@[::1]/",
            "https://shop.example@evil.example/",
        ],
    );
    all(
        "valid",
        &[
            "https://h.x/@",
            "https://h.x/a@b",
            "https://h.x?a@b",
            "https://h.x#a@b",
        ],
    );
}

#[test]
fn finds_the_end_of_an_authority_of_any_length() {
    for length in 0..=40 {
        let host = "h".repeat(length);
        let after = [
            "",
            "/",
            "?",
            "#",
            ":1/",
            "/a-path-of-more-than-sixteen-bytes",
            "?a-query-of-so-many",
            ":1#fragment-of-them",
        ];
        // A name of one label is private.
        let expected = if length == 0 { "authority" } else { "private" };
        for text in after.map(|after| format!("https://{host}{after}")) {
            all(expected, &[&text]);
        }
        all(
            "authority",
            &[&format!(
                "https://{host}:x/a-path-of-more-than-sixteen-bytes"
            )],
        );
        all(
            "credentials",
            &[&format!(
                "https://{host}@h/a-path-of-more-than-sixteen-bytes"
            )],
        );
    }
}

#[test]
fn accepts_the_characters_of_rfc_3986_only() {
    let allowed =
        "-._~!$&'()*+,;=/?#[]@:0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    for byte in 0..=0x7F_u8 {
        let c = char::from(byte);
        for (before, after) in [
            ("https://h/", ""),
            ("https://h", ".example/"),
            ("https://h?", "x"),
            ("https://h#", ""),
        ] {
            let text = format!("{before}{c}{after}");
            assert_eq!(
                Uri::split(&text).unwrap().has_valid_characters(),
                allowed.contains(c),
                "{text}"
            );
        }
    }
    for c in "\u{80}\u{A0}é€ｅ\u{1F600}。．".chars() {
        assert!(
            !Uri::split(&format!("https://h/{c}"))
                .unwrap()
                .has_valid_characters()
        );
        assert!(
            !Uri::split(&format!("https://h{c}/"))
                .unwrap()
                .has_valid_characters()
        );
    }
}
