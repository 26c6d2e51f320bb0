//! Counts tests from the output of their runners.

/// Numbers of passed and failed tests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TestCounts {
    /// Tests, vectors, and checks that passed.
    pub(crate) passed: u64,
    /// Tests, vectors, and checks that failed.
    pub(crate) failed: u64,
}

impl TestCounts {
    /// Returns the counts of a single check.
    pub(crate) fn of_check(held: bool) -> TestCounts {
        TestCounts {
            passed: u64::from(held),
            failed: u64::from(!held),
        }
    }

    /// Adds other counts.
    pub(crate) fn add(&mut self, other: TestCounts) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// Parses the output of `cargo test` and stores the counts of each runner.
#[derive(Default)]
pub(crate) struct Runners {
    /// Each runner by cargo's name, in the order started.
    runners: Vec<(String, TestCounts)>,
}

impl Runners {
    /// Adds a runner whose start is not in the output.
    pub(crate) fn start(&mut self, name: &str) {
        self.runners.push((name.to_owned(), TestCounts::default()));
    }

    /// Parses one line, without colors.
    pub(crate) fn line(&mut self, line: &str) {
        if let Some(name) = started(line) {
            self.runners.push((name.to_owned(), TestCounts::default()));
        } else if let (Some(counts), Some((_, sum))) = (counted(line), self.runners.last_mut()) {
            sum.add(counts);
        }
    }

    /// Returns the sum of all runners.
    pub(crate) fn total(&self) -> TestCounts {
        self.runners
            .iter()
            .fold(TestCounts::default(), |mut sum, (_, counts)| {
                sum.add(*counts);
                sum
            })
    }

    /// Returns the runners that ran no test: such a test may never have been run.
    pub(crate) fn idle(&self) -> Vec<&str> {
        let idle = |(_, counts): &&(String, TestCounts)| *counts == TestCounts::default();
        self.runners
            .iter()
            .filter(idle)
            .map(|(name, _)| name.as_str())
            .collect()
    }

    /// Returns true if a runner of this name has run a test.
    pub(crate) fn has_run(&self, name: &str) -> bool {
        self.runners
            .iter()
            .any(|(other, counts)| other == name && *counts != TestCounts::default())
    }

    /// Returns true if no runner was started.
    pub(crate) fn is_empty(&self) -> bool {
        self.runners.is_empty()
    }
}

/// Parses `     Running unittests src/lib.rs (…)` and `   Doc-tests payspec`.
fn started(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let name = line
        .strip_prefix("Running ")
        .filter(|rest| rest.contains(" ("))
        .or_else(|| line.strip_prefix("Doc-tests "))?;
    Some(name.split(" (").next().unwrap_or(name))
}

/// Counts the results in the output of other runners: the lines of [`counted`], and `--- PASS:
/// TestName` of Go.
pub(crate) fn counted_in(output: &str) -> TestCounts {
    let of_go = |line: &str| {
        line.strip_prefix("--- ")?
            .split_once(": ")
            .map(|(word, _)| TestCounts::of_check(word == "PASS"))
    };
    output
        .lines()
        .filter_map(|line| counted(line).or_else(|| of_go(line)))
        .fold(TestCounts::default(), |mut sum, counts| {
            sum.add(counts);
            sum
        })
}

/// Parses the last line of a step: `12 passed, 0 failed`.
pub(crate) fn closing(line: &str) -> Option<TestCounts> {
    let (passed, failed) = line.strip_suffix(" failed")?.split_once(" passed, ")?;
    Some(TestCounts {
        passed: passed.parse().ok()?,
        failed: failed.parse().ok()?,
    })
}

/// Parses `test result: ok. 12 passed; 0 failed; …` of libtest, and `vectors: redact: 12 passed, 0
/// failed` and `tests: …` of this project.
fn counted(line: &str) -> Option<TestCounts> {
    let rest = ["test result: ", "vectors: ", "tests: "]
        .iter()
        .find_map(|start| line.strip_prefix(start))?;
    let number_before = |word: &str| {
        let (before, _) = rest.split_once(word)?;
        before.trim_end().rsplit(' ').next()?.parse().ok()
    };
    Some(TestCounts {
        passed: number_before("passed")?,
        failed: number_before("failed")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Runners {
        let mut runners = Runners::default();
        lines.iter().for_each(|line| runners.line(line));
        runners
    }

    #[test]
    fn adds_up_tests_and_vectors() {
        let runners = read(&[
            "   Compiling payspec v0.1.0",
            "     Running unittests src/lib.rs (target/debug/deps/payspec-0)",
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s",
            "     Running tests/vectors.rs (target/debug/deps/vectors-0)",
            "vectors: redact: 30 passed, 1 failed",
            "vectors: rules: 2 passed, 0 failed",
            "   Doc-tests payspec",
            "test result: FAILED. 3 passed; 2 failed; 0 ignored",
        ]);
        assert_eq!(
            runners.total(),
            TestCounts {
                passed: 47,
                failed: 3
            }
        );
        assert!(runners.idle().is_empty());
    }

    #[test]
    fn reads_the_closing_line() {
        assert_eq!(
            closing("12 passed, 3 failed"),
            Some(TestCounts {
                passed: 12,
                failed: 3
            })
        );
        assert_eq!(closing("vectors: 12 passed, 3 failed"), None);
        assert_eq!(closing("12 passed, 3 failed, 1 skipped"), None);
    }

    #[test]
    fn counts_the_tests_of_other_languages() {
        let output = "=== RUN   TestA\n--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.1s)\n\
                      vectors: 12 passed, 1 failed\ntests: 3 passed, 0 failed\nPASS\n";
        assert_eq!(
            counted_in(output),
            TestCounts {
                passed: 16,
                failed: 2
            }
        );
    }

    #[test]
    fn reports_a_runner_without_tests() {
        let runners = read(&[
            "     Running tests/vectors.rs (target/debug/deps/vectors-0)",
            "     Running unittests src/main.rs (target/debug/deps/xtask-0)",
            "test result: ok. 0 passed; 0 failed; 4 ignored",
            "   Doc-tests payspec",
            "test result: ok. 1 passed; 0 failed",
        ]);
        assert_eq!(
            runners.idle(),
            ["tests/vectors.rs", "unittests src/main.rs"]
        );
    }
}
