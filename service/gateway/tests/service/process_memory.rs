//! The memory of another process, as a core dump contains it.

use std::collections::HashSet;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// Returns the card numbers that the writable memory of a process contains, and whether it contains
/// one of them masked.
pub(crate) fn find_cards(pid: u32, cards: &[String]) -> (Vec<String>, bool) {
    const DIGITS: usize = 16;
    assert!(cards.iter().all(|card| card.len() == DIGITS));
    let wanted: HashSet<&[u8]> = cards.iter().map(String::as_bytes).collect();
    let masks: HashSet<String> = cards
        .iter()
        .map(|card| format!("{}******{}", &card[..6], &card[12..]))
        .collect();
    let (mut found, mut has_mask) = (Vec::new(), false);
    for region in regions(pid) {
        // Runs of digits and stars.
        for run in region.split(|byte| !byte.is_ascii_digit() && *byte != b'*') {
            for window in run.windows(DIGITS) {
                if wanted.contains(window) {
                    found.push(String::from_utf8_lossy(window).into_owned());
                }
                has_mask |= std::str::from_utf8(window).is_ok_and(|text| masks.contains(text));
            }
        }
    }
    found.sort();
    found.dedup();
    (found, has_mask)
}

/// Reads the writable regions of a process.
pub(crate) fn regions(pid: u32) -> Vec<Vec<u8>> {
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap();
    let memory = File::open(format!("/proc/{pid}/mem")).unwrap();
    let read = |line: &str| {
        let mut words = line.split_whitespace();
        let (start, end) = words.next()?.split_once('-')?;
        let [start, end] = [start, end].map(|number| u64::from_str_radix(number, 16).unwrap());
        words.next().filter(|rights| rights.starts_with("rw"))?;
        let mut bytes = vec![0; usize::try_from(end - start).unwrap()];
        // Some pages of devices cannot be read.
        memory.read_exact_at(&mut bytes, start).ok()?;
        Some(bytes)
    };
    maps.lines().filter_map(read).collect()
}
