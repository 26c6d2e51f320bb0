//! What came of the rounds.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::checker::Findings;
use crate::cluster::Replication;

/// A fault, and the longest time without an answered payment until the cluster was complete again.
#[derive(Debug)]
pub(crate) struct Round {
    pub(crate) fault: &'static str,
    pub(crate) outage: Duration,
}

#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) replication: Replication,
    pub(crate) rounds: Vec<Round>,
    /// Payments that clients know.
    pub(crate) answered: usize,
    /// Answered reads.
    pub(crate) read: u64,
    /// Standbys that were created anew.
    pub(crate) recreated: u32,
    pub(crate) errors: BTreeMap<String, u64>,
    pub(crate) findings: Findings,
    /// Keys that were answered with a second payment, which are among the violations too.
    pub(crate) second_payments: usize,
    /// What clients have seen and must not see.
    pub(crate) violations: Vec<String>,
}

impl Report {
    pub(crate) fn lost(&self) -> usize {
        // If the client repeats the request, the lost payment is created again with another uid.
        self.findings.lost.len() + self.findings.duplicated.len() + self.second_payments
    }

    pub(crate) fn is_right(&self) -> bool {
        self.findings.is_empty() && self.violations.is_empty() && self.answered > 0 && self.read > 0
    }

    /// The first of each kind.
    pub(crate) fn failures(&self) -> Vec<String> {
        let Findings {
            lost,
            duplicated,
            different,
            events,
        } = &self.findings;
        let first = |list: &[String]| list.iter().take(5).cloned().collect::<Vec<_>>();
        [lost, duplicated, different, events, &self.violations]
            .map(|list| first(list))
            .concat()
    }
}

/// The smallest value of which this share of all is not greater.
fn quantile(sorted: &[Duration], percent: usize) -> Duration {
    sorted[(sorted.len() * percent).div_ceil(100).saturating_sub(1)]
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut of_fault: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
        for round in &self.rounds {
            for name in [round.fault, "all"] {
                of_fault.entry(name).or_default().push(round.outage);
            }
        }
        writeln!(
            f,
            "\n| fault | rounds | median | 90 % | longest |\n|---|---:|---:|---:|---:|"
        )?;
        for (fault, outages) in &mut of_fault {
            outages.sort_unstable();
            let [median, most, longest] =
                [50, 90, 100].map(|percent| quantile(outages, percent).as_secs_f64());
            writeln!(
                f,
                "| {fault} | {} | {median:.1} s | {most:.1} s | {longest:.1} s |",
                outages.len()
            )?;
        }
        let Findings {
            lost,
            duplicated,
            different,
            events,
        } = &self.findings;
        writeln!(
            f,
            "\n{:?} replication: {} payments answered, {} lost, {} duplicated, {} answers differ, {} payments with wrong events; \
             {} reads; {} other violations; {} standbys created anew.\n",
            self.replication,
            self.answered,
            lost.len(),
            duplicated.len(),
            different.len(),
            events.len(),
            self.read,
            self.violations.len(),
            self.recreated
        )?;
        let errors: Vec<_> = self
            .errors
            .iter()
            .map(|(error, count)| format!("{count} × {error}"))
            .collect();
        write!(
            f,
            "What clients have seen besides payments: {}.",
            errors.join(", ")
        )
    }
}
