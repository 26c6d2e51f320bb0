//! The result of a suite of tests.

use crate::support::test_counts::TestCounts;

/// The counts of a suite and its problem, or the reason why it could not start.
pub(crate) type CheckResult = Result<(TestCounts, Option<String>), String>;

/// Returns the counts of a suite. A suite that does not start or runs no test has one failure.
pub(crate) fn counted(ran: CheckResult) -> (TestCounts, Option<String>) {
    match ran {
        Ok((
            TestCounts {
                passed: 0,
                failed: 0,
            },
            _,
        )) => (TestCounts::of_check(false), Some("ran no test".to_owned())),
        Ok(ran) => ran,
        Err(problem) => (TestCounts::of_check(false), Some(problem)),
    }
}
