//! `payspec redact` decodes UTF-16, UTF-32, and the encodings of the command line.

use crate::program::{redacts_each_line, run, text};

const LOG: &str = "Оплата 4111 1111 1111 1111, cvv=123 😀\nзаказ 1007 卡号4111111111111111\n";
const SAFE: &str = "Оплата 4111 11** **** 1111, cvv=*** 😀\nзаказ 1007 卡号411111******1111\n";

const UTF_16: [fn(u16) -> [u8; 2]; 2] = [u16::to_le_bytes, u16::to_be_bytes];
const UTF_32: [fn(u32) -> [u8; 4]; 2] = [u32::to_le_bytes, u32::to_be_bytes];

fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to_bytes).collect()
}

fn utf32(text: &str, to_bytes: fn(u32) -> [u8; 4]) -> Vec<u8> {
    text.chars().map(u32::from).flat_map(to_bytes).collect()
}

/// Returns the text in each wide encoding, with its label.
fn wide(text: &str) -> [(&'static str, Vec<u8>); 4] {
    [
        ("utf-16le", utf16(text, UTF_16[0])),
        ("utf-16be", utf16(text, UTF_16[1])),
        ("utf-32le", utf32(text, UTF_32[0])),
        ("utf-32be", utf32(text, UTF_32[1])),
    ]
}

fn redacted(arguments: &[&str], input: &[u8]) -> String {
    let (status, stdout, stderr) = text(&run(&[&["redact"], arguments].concat(), input));
    assert_eq!((status, stderr.as_str()), (0, ""), "{arguments:?}");
    stdout
}

/// Expects a failure, and returns its message. No digit of a card number is written.
fn refused(arguments: &[&str], input: &[u8]) -> String {
    let (status, stdout, stderr) = text(&run(&[&["redact"], arguments].concat(), input));
    assert_eq!((status, stderr.lines().count()), (2, 1), "{stderr}");
    assert!(!stdout.contains(['1', '\u{3131}']), "{stdout}");
    stderr
}

#[test]
fn decodes_utf16_and_utf32() {
    for ((label, bytes), (_, marked)) in wide(LOG).iter().zip(wide(&format!("\u{feff}{LOG}"))) {
        assert_eq!(redacted(&[], bytes), SAFE, "{label}");
        assert_eq!(redacted(&[], &marked), SAFE, "{label} with a mark");
        assert_eq!(redacted(&["--text", "--follow"], &marked), SAFE, "{label}");
        assert_eq!(redacted(&["--encoding", label], bytes), SAFE, "{label}");
        assert_eq!(redacted(&["--encoding", label], &marked), SAFE, "{label}");
    }
    // The text after the first bytes that are read at once.
    let long = LOG.repeat(5_000);
    for (label, bytes) in wide(&long) {
        assert!(redacted(&[], &bytes) == SAFE.repeat(5_000), "{label}");
    }
}

#[test]
fn decodes_bodies() {
    let body = "{\n \"card_number\": \"4111111111111111\",\n \"имя\": \"Иван\", \"cvv\":\n 123}\n";
    let safe =
        "{\n \"card_number\": \"411111******1111\",\n \"имя\": \"Иван\", \"cvv\":\n \"***\"}\n";
    for (label, bytes) in wide(body) {
        assert_eq!(redacted(&[], &bytes), safe, "{label}");
    }
}

#[test]
fn decodes_other_encodings() {
    // "Карта 4111111111111111\n" in windows-1251, and in Shift_JIS with katakana.
    let cyrillic = b"\xCA\xE0\xF0\xF2\xE0 4111111111111111\n";
    assert_eq!(
        redacted(&["--encoding", "windows-1251"], cyrillic),
        "Карта 411111******1111\n"
    );
    let katakana = b"\x83\x4A\x81\x5B\x83\x68 4111111111111111\n";
    assert_eq!(
        redacted(&["--encoding", "Shift_JIS"], katakana),
        "カード 411111******1111\n"
    );
    assert_eq!(
        refused(&[], cyrillic),
        "error: <stdin>: the byte at offset 0, in line 1, is not UTF-8; --encoding names another \
         encoding, and --lossy replaces such bytes\n"
    );
    let line = text(&run(&["redact", "--encoding", "ebcdic"], b"")).2;
    assert!(
        line.contains("another label of the Encoding Standard"),
        "{line}"
    );
}

#[test]
fn refuses_what_cannot_be_decoded() {
    let surrogate = [
        utf16("a b ", UTF_16[0]),
        vec![0x00, 0xD8],
        utf16("4111", UTF_16[0]),
    ]
    .concat();
    let odd = [utf16("cvv=x\n", UTF_16[1]), vec![0]].concat();
    let outside = [utf32("abc\n", UTF_32[0]), vec![0, 0, 0x11, 0]].concat();
    let cut = &utf32("abcd", UTF_32[1])[..15];
    for (arguments, input, place, lossy) in [
        (
            &[][..],
            &surrogate[..],
            "the byte at offset 8 is not UTF-16LE",
            "a b \u{fffd}4111",
        ),
        (
            &[],
            &odd,
            "the byte at offset 12 is not UTF-16BE",
            "cvv=***\n\u{fffd}",
        ),
        (
            &["--encoding", "utf-32"],
            &outside,
            "offset 16 is not UTF-32LE",
            "abc\n\u{fffd}",
        ),
        (
            &["--encoding", "utf-32be"],
            cut,
            "offset 12 is not UTF-32BE",
            "abc\u{fffd}",
        ),
        (
            &["--encoding", "euc-kr"],
            b"ab\xFFcd",
            "offset 2 is not EUC-KR",
            "ab\u{fffd}cd",
        ),
    ] {
        let message = refused(arguments, input);
        assert!(
            message.starts_with("error: cannot read <stdin>: ") && message.contains(place),
            "{message}"
        );
        assert_eq!(redacted(&[arguments, &["--lossy"]].concat(), input), lossy);
    }
}

#[test]
fn refuses_mixed_encodings() {
    // As after `>>` of a shell that writes another encoding than the program before.
    for order in UTF_16 {
        let mixed = [b"ab\n".to_vec(), utf16("pan=4111111111111111\n", order)].concat();
        for arguments in [&[][..], &["--lossy"], &["--encoding", "windows-1252"]] {
            let message = refused(arguments, &mixed);
            assert!(message.contains("NUL bytes alternate"), "{message}");
        }
        for shift in ["", "x"] {
            let narrow = format!("{shift}4111111111111111\n\n");
            let mixed = [utf16("a b c d\n", order), narrow.into()].concat();
            let message = refused(&["--lossy"], &mixed);
            assert!(
                message.contains("digits of another encoding follow"),
                "{message}"
            );
        }
    }
}

#[test]
fn keeps_nul_bytes_between_words() {
    let text = "PAN=4111111111111111\0CVV=123\0\0\0end\0";
    assert_eq!(
        redacted(&[], text.as_bytes()),
        "PAN=411111******1111\0CVV=***\0\0\0end\0"
    );
}

#[test]
fn decodes_lines_as_they_arrive() {
    redacts_each_line(&utf16("pan=4111111111111111\n", UTF_16[0]));
}
