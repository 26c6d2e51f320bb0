//! The warning about a busy machine.

use super::figures::{Figure, Run};
use super::targets;

/// A baseline with a larger spread between rounds, or a larger drift during the run, indicates a
/// busy machine. In per cent.
const NOISY: u64 = 15;

impl Run {
    /// Returns a warning if the machine was busy.
    pub(crate) fn noise(&self) -> Option<String> {
        let bases = targets::bases(self.side).filter_map(|base| self.figure(base));
        let noisy = |base: &&Figure| base.spread() > NOISY || base.drift() > NOISY;
        let worst = self
            .baseline()
            .into_iter()
            .chain(bases)
            .filter(noisy)
            .max_by_key(|base| base.spread())?;
        Some(format!(
            "NOISY: in {}, the baseline {} has a spread of {} % between rounds and moved by {} % during the run. Run again on \
             a quiet machine.",
            self.side,
            worst.name,
            worst.spread(),
            worst.drift()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_a_noisy_baseline() {
        let run = |rounds: &[u64]| {
            let text = format!(r#"{{"figures":[{{"name":"it","rounds":{rounds:?}}}]}}"#);
            Run::read(targets::RUST, text.as_bytes()).unwrap()
        };
        assert!(run(&[100, 101, 99, 100, 101, 99]).noise().is_none());
        assert!(
            run(&[100, 100, 108, 108, 116, 116])
                .noise()
                .is_some_and(|text| text.contains("moved by 16 %"))
        );
        assert!(run(&[100, 60, 100, 140, 100, 140]).noise().is_some());
    }
}
