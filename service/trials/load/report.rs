//! The tables of a measurement, in Markdown.

use std::fmt;

use crate::compare::median;
use crate::profile::{self, Profile};
use crate::wrk::{Figures, PERCENTILES};

/// The rounds of one server with one kind of request.
#[derive(Default)]
pub(crate) struct Rounds {
    figures: Vec<Figures>,
    /// Microseconds of each request.
    cpu: Vec<f64>,
}

impl Rounds {
    pub(crate) fn add(&mut self, (figures, cpu): (Figures, f64)) {
        self.figures.push(figures);
        self.cpu.push(cpu);
    }

    pub(crate) fn per_second(&self) -> f64 {
        self.median(|figures| figures.per_second)
    }

    fn median(&self, figure: impl Fn(&Figures) -> f64) -> f64 {
        median(self.figures.iter().map(figure).collect())
    }
}

#[derive(Default)]
pub(crate) struct Report {
    speed: Vec<String>,
    latency: Vec<String>,
    /// By what was requested.
    profiles: Vec<(String, Profile)>,
}

impl Report {
    /// Adds what a database does without a service.
    pub(crate) fn add_limit(&mut self, name: &str, per_second: f64) {
        self.speed
            .push(format!("| {name} | {per_second:.0} | – | – | – | – | – |"));
    }

    /// Adds a server, with the microseconds of the library for each request, and its limit.
    pub(crate) fn add(
        &mut self,
        name: &str,
        rounds: &Rounds,
        own: Option<f64>,
        limit: Option<f64>,
    ) {
        let cpu = median(rounds.cpu.clone());
        let own = own.map_or_else(
            || "–".to_owned(),
            |own| format!("{own:.1} µs, {:.0} %", 100.0 * own / cpu),
        );
        let per_second = rounds.per_second();
        let share = limit.map_or_else(
            || "–".to_owned(),
            |limit| format!("{:.2}", per_second / limit),
        );
        let (p50, p99) = (rounds.median(Figures::p50), rounds.median(Figures::p99));
        self.speed.push(format!(
            "| {name} | {per_second:.0} | {p50:.2} | {p99:.2} | {cpu:.0} | {own} | {share} |"
        ));
        let latency =
            (0..PERCENTILES.len()).map(|index| rounds.median(|figures| figures.latency[index]));
        self.latency.push(format!(
            "| {name} |{}",
            latency
                .map(|value| format!(" {value:.2} |"))
                .collect::<String>()
        ));
    }

    pub(crate) fn add_profile(&mut self, name: String, profile: Profile) {
        self.profiles.push((name, profile));
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| | requests/s | p50 ms | p99 ms | CPU µs per request | of it the library | share of the limit |"
        )?;
        writeln!(
            f,
            "|---|---:|---:|---:|---:|---:|---:|\n{}\n",
            self.speed.join("\n")
        )?;
        writeln!(f, "## Latency in milliseconds\n")?;
        writeln!(
            f,
            "| requests{} |",
            PERCENTILES
                .map(|percentile| format!(" | {percentile} %"))
                .concat()
        )?;
        writeln!(
            f,
            "|---|{}\n{}",
            "---:|".repeat(PERCENTILES.len()),
            self.latency.join("\n")
        )?;
        if self.profiles.is_empty() {
            return Ok(());
        }
        writeln!(f, "\n## Processor time of the gateway by part\n")?;
        writeln!(
            f,
            "|{} |",
            self.profiles
                .iter()
                .map(|(name, _)| format!(" | {name}"))
                .collect::<String>()
        )?;
        writeln!(f, "|---|{}", "---:|".repeat(self.profiles.len()))?;
        for (index, part) in profile::parts().enumerate() {
            let shares = self
                .profiles
                .iter()
                .map(|(_, profile)| format!(" {:.1} % |", profile[index]));
            writeln!(f, "| {part} |{}", shares.collect::<String>())?;
        }
        Ok(())
    }
}
