//! The lines of a failed step's log that show why it failed, for the end of a long run.

/// Beginnings of lines at which a runner, a compiler, or a check reports a failure.
const MARKS: &[&str] = &[
    "FAILED",
    "---- ",
    "--- FAIL",
    "error:",
    "error[",
    "failed  ",
    "thread '",
    "AssertionError",
];
/// Lines from each mark on: the reason follows the name.
const FOLLOWING: usize = 8;
/// At most so many lines of a step; the rest is in its log.
const MOST: usize = 60;
/// So many last lines are taken from a log without a mark.
const LAST: usize = 20;

/// Returns the lines that report failures with those that follow, or the last lines of a log
/// without such a line.
pub(super) fn lines(log: &str) -> Vec<&str> {
    let lines: Vec<&str> = log.lines().collect();
    let mut end = 0;
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let line = line.trim_start();
        if MARKS.iter().any(|mark| line.starts_with(mark)) {
            end = index + FOLLOWING;
        }
        if index < end {
            found.push(lines[index]);
        }
    }
    if found.is_empty() {
        found = lines[lines.len().saturating_sub(LAST)..].to_vec();
    }
    found.truncate(MOST);
    found
}

#[cfg(test)]
mod tests {
    use super::{LAST, MOST, lines};

    #[test]
    fn a_failure_is_followed_by_its_reason() {
        let passed = "test ok ... ok\n".repeat(100);
        for mark in [
            "   FAILED  the page waits\n     AssertionError: 1 == 2",
            "---- clock::window stdout ----\n\nthread 'clock::window' panicked at clock.rs:1:1:\nthe event is not due",
            "--- FAIL: TestVerdict (0.00s)\n    verdict_test.go:3: got false",
            "error[E0425]: cannot find value `x`",
        ] {
            let log = format!("{passed}{mark}\n{passed}");
            let found = lines(&log);
            assert!(found.join("\n").starts_with(mark), "{found:?}");
            assert!(found.len() < 16, "{found:?}");
        }
    }

    #[test]
    fn a_log_without_a_known_failure_gives_its_end() {
        let log: Vec<String> = (0..100).map(|number| format!("line {number}")).collect();
        assert_eq!(lines(&log.join("\n")), log[100 - LAST..]);
        assert_eq!(lines("one"), ["one"]);
        assert_eq!(lines(""), [""; 0]);
    }

    #[test]
    fn many_failures_are_limited() {
        assert_eq!(lines(&"FAILED\n".repeat(1000)).len(), MOST);
    }
}
