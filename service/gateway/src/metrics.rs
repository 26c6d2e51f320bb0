//! The recorder of metrics, in bounded memory.

use std::time::Duration;

use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::sync::watch;

/// The bounds of the histogram of requests, in seconds.
const BUCKETS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];
/// The pause between two sums of samples.
const PERIOD: Duration = Duration::from_secs(5);

/// Installs the recorder of the process.
///
/// # Errors
/// Returns an error if there is one already.
pub fn install() -> Result<PrometheusHandle, BuildError> {
    builder()?.install_recorder()
}

fn builder() -> Result<PrometheusBuilder, BuildError> {
    let histogram = Matcher::Full("gateway_request_seconds".to_owned());
    PrometheusBuilder::new().set_buckets_for_metric(histogram, &BUCKETS)
}

/// Adds samples up until `stop` is set.
///
/// Until then a histogram keeps its samples one by one, and a scrape may never come.
pub async fn run(handle: PrometheusHandle, stop: watch::Receiver<bool>) {
    keep_up(handle, PERIOD, stop).await;
}

async fn keep_up(handle: PrometheusHandle, period: Duration, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        tokio::select! {
            () = tokio::time::sleep(period) => handle.run_upkeep(),
            _ = stop.changed() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the resident memory in KiB.
    fn memory() -> i64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status
            .lines()
            .find(|line| line.starts_with("VmRSS:"))
            .unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    #[tokio::test]
    async fn samples_that_nobody_scrapes_take_no_memory() {
        let recorder = builder().unwrap().build_recorder();
        let (stop, stopping) = watch::channel(false);
        let worker = tokio::spawn(keep_up(
            recorder.handle(),
            Duration::from_millis(1),
            stopping,
        ));
        let record = || {
            metrics::with_local_recorder(&recorder, || {
                let histogram = metrics::histogram!("gateway_request_seconds", "route" => "x");
                (0..100_000).for_each(|_| histogram.record(0.001));
            });
        };
        record();
        tokio::time::sleep(Duration::from_millis(20)).await;
        let before = memory();
        for _ in 0..40 {
            record();
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let grown = memory() - before;
        assert!(grown < 16 * 1024, "{grown} KiB for 4 million samples");
        assert!(
            recorder
                .handle()
                .render()
                .contains(r#"gateway_request_seconds_count{route="x"} 4100000"#)
        );
        stop.send_replace(true);
        worker.await.unwrap();
    }
}
