//! Runs steps in parallel: at most `limit` at once, each after the steps that it depends on, and
//! never two with the same lock.

use super::step::Step;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc;
use std::thread;

/// The properties of a step that the schedule needs.
pub(super) struct Task {
    pub(super) name: &'static str,
    pub(super) after: Vec<&'static str>,
    pub(super) locks: Vec<&'static str>,
    /// Expects answers in time, so at most one other task runs beside it.
    pub(super) calm: bool,
}

impl From<&'static Step> for Task {
    fn from(step: &'static Step) -> Task {
        Task {
            name: &step.name,
            after: step.after.iter().map(String::as_str).collect(),
            locks: step.locks.iter().map(String::as_str).collect(),
            calm: step.calm,
        }
    }
}

/// Runs the tasks, at most `limit` at once, and returns their results in the given order. `started`
/// is called when a task begins, and `ended` when it ends, both on the caller's thread.
///
/// A task begins when all tasks in its `after` have ended, with any result. Names that are not in
/// the list are ignored.
pub(super) fn run<R: Send>(
    tasks: &[Task],
    limit: usize,
    work: impl Fn(&Task) -> R + Sync,
    mut started: impl FnMut(&Task),
    mut ended: impl FnMut(&Task, &R),
) -> Vec<R> {
    let mut results: Vec<Option<R>> = tasks.iter().map(|_| None).collect();
    let mut waiting: BTreeSet<usize> = (0..tasks.len()).collect();
    let mut running: BTreeSet<usize> = BTreeSet::new();
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        loop {
            while running.len() < limit {
                let Some(next) = waiting
                    .iter()
                    .copied()
                    .find(|index| is_free(tasks, *index, &waiting, &running))
                else {
                    break;
                };
                waiting.remove(&next);
                running.insert(next);
                started(&tasks[next]);
                let (sender, work) = (sender.clone(), &work);
                scope.spawn(move || {
                    let result = catch_unwind(AssertUnwindSafe(|| work(&tasks[next])));
                    // The receiver lives until the last task has ended.
                    let _ = sender.send((next, result));
                });
            }
            if running.is_empty() {
                break;
            }
            let Ok((index, result)) = receiver.recv() else {
                break;
            };
            running.remove(&index);
            let result = result.unwrap_or_else(|panic| resume_unwind(panic));
            ended(&tasks[index], &result);
            results[index] = Some(result);
        }
    });
    assert!(waiting.is_empty(), "steps wait for each other");
    results.into_iter().flatten().collect()
}

/// If a task is calm, at most so many run at once.
const BESIDE_CALM: usize = 2;

/// Returns true if a waiting task can begin: no task in its `after` and no task with the same lock
/// is running, and not too many tasks if one is calm.
fn is_free(
    tasks: &[Task],
    index: usize,
    waiting: &BTreeSet<usize>,
    running: &BTreeSet<usize>,
) -> bool {
    let task = &tasks[index];
    let is_before = |other: &usize| task.after.contains(&tasks[*other].name);
    let shares_lock = |other: &usize| {
        tasks[*other]
            .locks
            .iter()
            .any(|lock| task.locks.contains(lock))
    };
    let is_calm = task.calm || running.iter().any(|other| tasks[*other].calm);
    let has_room = !is_calm || running.len() < BESIDE_CALM;
    has_room && !waiting.iter().chain(running).any(is_before) && !running.iter().any(shares_lock)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    fn task(name: &'static str, after: &[&'static str], locks: &[&'static str]) -> Task {
        Task {
            name,
            after: after.to_vec(),
            locks: locks.to_vec(),
            calm: false,
        }
    }

    fn order(tasks: &[Task], limit: usize) -> Vec<String> {
        let mut events = Vec::new();
        let mut ends = Vec::new();
        run(
            tasks,
            limit,
            |_| thread::sleep(Duration::from_millis(5)),
            |task| events.push(task.name),
            |task, ()| ends.push(task.name),
        );
        assert_eq!(ends.len(), tasks.len());
        events.into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn runs_a_step_after_its_dependencies() {
        let tasks = [
            task("late", &["build", "not selected"], &[]),
            task("build", &[], &[]),
            task("free", &[], &[]),
        ];
        assert_eq!(order(&tasks, 1), ["build", "late", "free"]);
        assert_eq!(order(&tasks, 2)[2], "late");
    }

    #[test]
    fn never_runs_more_than_the_limit_or_two_with_one_lock() {
        let tasks: Vec<Task> = (0..12)
            .map(|number| {
                task(
                    ["a", "b", "c"][number % 3],
                    &[],
                    [&["x"][..], &["y"], &["x"]][number % 3],
                )
            })
            .collect();
        let [all, x] = [AtomicUsize::new(0), AtomicUsize::new(0)];
        let results = run(
            &tasks,
            2,
            |task| {
                let is_x = task.locks.contains(&"x");
                let (now, now_x) = (
                    all.fetch_add(1, Ordering::SeqCst),
                    is_x.then(|| x.fetch_add(1, Ordering::SeqCst)),
                );
                thread::sleep(Duration::from_millis(3));
                all.fetch_sub(1, Ordering::SeqCst);
                if is_x {
                    x.fetch_sub(1, Ordering::SeqCst);
                }
                (now, now_x)
            },
            |_| {},
            |_, _| {},
        );
        assert_eq!(results.len(), 12);
        assert!(
            results
                .iter()
                .all(|(now, now_x)| *now < 2 && now_x.unwrap_or(0) == 0),
            "{results:?}"
        );
    }

    #[test]
    fn runs_one_task_beside_a_calm_one() {
        for calm in 0..6 {
            let tasks: Vec<Task> = (0..6)
                .map(|number| Task {
                    calm: number == calm,
                    ..task("a", &[], &[])
                })
                .collect();
            let running = AtomicUsize::new(0);
            let most = run(
                &tasks,
                3,
                |_| {
                    running.fetch_add(1, Ordering::SeqCst);
                    thread::sleep(Duration::from_millis(20));
                    running.fetch_sub(1, Ordering::SeqCst)
                },
                |_| {},
                |_, _| {},
            );
            assert!(most[calm] <= 2, "{most:?}");
            assert_eq!(most.iter().max(), Some(&3), "{most:?}");
        }
    }

    #[test]
    fn keeps_the_order_of_results() {
        let tasks = [task("a", &["b"], &[]), task("b", &[], &[])];
        assert_eq!(
            run(&tasks, 2, |task| task.name, |_| {}, |_, _| {}),
            ["a", "b"]
        );
    }
}
