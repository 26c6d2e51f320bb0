//! The progress bar, which is shown only in a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

const WITH_SIZE: &str =
    "{bar:30} {percent:>3} %  {bytes} of {total_bytes}  {bytes_per_sec}  {eta} left";
const WITHOUT_SIZE: &str = "{spinner} {bytes}  {bytes_per_sec}  {elapsed}";

/// Shows how much of the input has been migrated.
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// Begins at `start` of an input of `size` bytes, if its size is known.
    pub(super) fn new(size: Option<u64>, start: u64) -> Self {
        let bar = size.map_or_else(ProgressBar::no_length, ProgressBar::new);
        let style = ProgressStyle::with_template(if size.is_some() {
            WITH_SIZE
        } else {
            WITHOUT_SIZE
        });
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_position(start);
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress(bar)
    }

    pub(super) fn set(&self, position: u64) {
        self.0.set_position(position);
    }

    pub(super) fn finish(&self) {
        self.0.finish_and_clear();
    }
}
