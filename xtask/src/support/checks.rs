//! The results of checks.

use super::test_counts::TestCounts;
use anstream::println;
use anyhow::{Result, anyhow};

/// Counts, and the problems of checks that failed.
#[derive(Debug, Default)]
pub(crate) struct Checks {
    pub(crate) counts: TestCounts,
    pub(crate) problems: Vec<String>,
}

impl Checks {
    /// Returns the results of tests that another program has counted.
    pub(crate) fn of(counts: TestCounts, problem: Option<String>) -> Self {
        let problems = problem.into_iter().collect();
        Self { counts, problems }
    }

    /// Adds a check, and prints it if it passed.
    pub(crate) fn check(&mut self, name: &str, result: Result<()>) {
        if result.is_ok() {
            println!("   ok  {name}");
        }
        let passed = result.map(|()| Self::of(TestCounts::of_check(true), None));
        self.add(name, passed);
    }

    /// Adds the results of others. An error is one failure.
    pub(crate) fn add(&mut self, name: &str, others: Result<Checks>) {
        let mut others = others
            .unwrap_or_else(|error| Self::of(TestCounts::default(), Some(format!("{error:#}"))));
        if !others.problems.is_empty() && others.counts.failed == 0 {
            others.counts.failed = 1;
        }
        self.counts.add(others.counts);
        let named = |problem| match name {
            "" => problem,
            name => format!("{name}: {problem}"),
        };
        self.problems.extend(others.problems.into_iter().map(named));
    }

    /// Returns the problems as an error.
    pub(crate) fn result(self) -> Result<()> {
        if self.problems.is_empty() {
            Ok(())
        } else {
            Err(anyhow!(self.problems.join("\n")))
        }
    }
}

/// A function with the name of what it checks.
pub(crate) type Named<T> = (&'static str, fn() -> Result<T>);

/// Returns an error with all problems if there is one.
pub(crate) fn none(problems: impl IntoIterator<Item = String>) -> Result<()> {
    let problems = problems.into_iter().collect();
    let checks = Checks {
        problems,
        ..Checks::default()
    };
    checks.result()
}

/// Returns an error with the problems of all results.
pub(crate) fn all(results: impl IntoIterator<Item = Result<()>>) -> Result<()> {
    let problems = results.into_iter().filter_map(Result::err);
    none(problems.map(|error| format!("{error:#}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_an_error_as_one_failure() {
        let mut checks = Checks::default();
        checks.check("one", Ok(()));
        checks.check("two", Err(anyhow!("cause").context("reason")));
        checks.add(
            "",
            Ok(Checks::of(
                TestCounts {
                    passed: 3,
                    failed: 2,
                },
                Some("3".to_owned()),
            )),
        );
        assert_eq!(
            checks.counts,
            TestCounts {
                passed: 4,
                failed: 3
            }
        );
        assert_eq!(
            checks.result().unwrap_err().to_string(),
            "two: reason: cause\n3"
        );
    }
}
