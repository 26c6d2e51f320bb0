//! The search for a request that one policy accepts and another one rejects.

use alloc::vec::Vec;
use core::cell::OnceCell;
use core::mem;

use super::breaks::depends_on_kind;
use super::change::{Body, Change};
use super::comparison::PolicyWitness;
use super::draft::Draft;
use super::kinds::bodies;
use super::setting::Setting;
use crate::policy::{MAX_SAFE_INTEGER, Ruleset};
use crate::report::ReportBuilder;
use crate::report::code::{Code, Severity};
use crate::types::timestamp::Timestamp;
use crate::validate::request::{RequestBody, RuleInputs, accepts, validate};

/// A search for requests that `accepting` accepts and `rejecting` rejects.
pub(super) struct Search<'p> {
    accepting: &'p Ruleset,
    rejecting: &'p Ruleset,
    /// Built for the first setting whose value in `accepting` is looser.
    bodies: OnceCell<Bodies>,
}

/// The bodies that are changed.
struct Bodies {
    /// Small bodies of each kind that both policies accept.
    shared: Vec<Draft>,
    /// Small bodies of each kind that `accepting` accepts.
    accepted: Vec<Draft>,
}

/// The result of a search.
pub(super) enum Found {
    /// There is no such request.
    None,
    Witness(PolicyWitness),
    /// The body of every such request is too long to write.
    TooLong,
}

/// A changed body that one policy accepts and the other one rejects.
struct Candidate {
    body: Body,
    now: Option<Timestamp>,
    /// The number of violations under the policy that rejects it.
    violations: usize,
}

impl<'p> Search<'p> {
    pub(super) fn new(accepting: &'p Ruleset, rejecting: &'p Ruleset) -> Self {
        Search {
            accepting,
            rejecting,
            bodies: OnceCell::new(),
        }
    }

    /// Searches for a request that the value of a setting in `accepting` permits, and its value in
    /// `rejecting` does not.
    ///
    /// Of the bodies that one change produces, the result is the first with one violation, or else
    /// the one with the fewest.
    pub(super) fn find(&self, setting: Setting) -> Found {
        let rejects = self.rejecting.severity(setting.rule()) == Severity::Error;
        if !rejects || !setting.is_looser(self.accepting, self.rejecting) {
            return Found::None;
        }
        let changes = setting.changes(self.accepting, self.rejecting);
        let only_this_rule = only(self.rejecting, setting);
        let mut best: Option<Candidate> = None;
        for base in self.bases(setting.rule()) {
            // Removals of members that the body does not have are all the body itself.
            let mut has_tried_base = false;
            for change in &changes {
                if change.keeps(base) && mem::replace(&mut has_tried_base, true) {
                    continue;
                }
                let candidate = self.candidate(base, change, &only_this_rule, best.as_ref());
                let Some(candidate) = candidate else {
                    continue;
                };
                let is_single = candidate.violations == 1;
                best = Some(candidate);
                if is_single {
                    return found(best);
                }
            }
        }
        found(best)
    }

    fn bodies(&self) -> &Bodies {
        self.bodies.get_or_init(|| Bodies {
            shared: bodies(&[self.accepting, self.rejecting]),
            accepted: bodies(&[self.accepting]),
        })
    }

    /// Returns the bodies that are changed to break a rule. If the rule does not depend on the kind
    /// of a body, one body suffices: the first, or, for a small `limits.body_bytes`, the shortest.
    fn bases(&self, rule: Code) -> Vec<&Draft> {
        let Bodies { shared, accepted } = self.bodies();
        let all = shared.iter().chain(accepted);
        // The objects of a body have up to three levels, and only some kinds may have them.
        let is_depth_of_objects = rule == Code::TooDeep && self.rejecting.policy.limits.depth < 3;
        if depends_on_kind(rule) || is_depth_of_objects {
            return all.collect();
        }
        let shortest = accepted.iter().min_by_key(|draft| draft.text().len());
        let first = [shared.first(), accepted.first(), shortest];
        first.into_iter().flatten().collect()
    }

    /// Returns a changed body, if exactly one policy accepts it, if it breaks the rule, and if it has
    /// fewer violations than the best one so far. The checks that most bodies fail are first.
    fn candidate(
        &self,
        base: &Draft,
        change: &Change,
        only_this_rule: &Ruleset,
        best: Option<&Candidate>,
    ) -> Option<Candidate> {
        let body = change.apply(base);
        let now = change.now.and_then(Timestamp::parse);
        let is_accepted = body.length() <= self.accepting.policy.limits.body_bytes
            && accepts(self.accepting, body.text.as_bytes(), now);
        if !is_accepted {
            return None;
        }
        if body.omitted > 0 {
            // The whole body is over the limit of `rejecting`, by the construction of the change.
            return best.is_none().then_some(Candidate {
                body,
                now,
                violations: usize::MAX,
            });
        }
        let violations = violations_if_rejected(self.rejecting, &body.text, now)?;
        let is_better = best.is_none_or(|best| violations < best.violations);
        let is_broken = is_better && !accepts(only_this_rule, body.text.as_bytes(), now);
        is_broken.then_some(Candidate {
            body,
            now,
            violations,
        })
    }
}

/// Returns the policy with one rule alone, so that its verdict is the result of that rule.
fn only(ruleset: &Ruleset, setting: Setting) -> Ruleset {
    let mut policy = ruleset.policy.clone();
    let rule = setting.rule();
    for code in Code::ALL.iter().filter(|code| code.is_adjustable()) {
        let severity = if *code == rule {
            ruleset.severity(*code)
        } else {
            Severity::Off
        };
        policy.severity.insert(*code, severity);
    }
    if rule != Code::BodyTooLarge {
        policy.limits.body_bytes = MAX_SAFE_INTEGER;
    }
    if rule != Code::TooDeep {
        policy.limits.depth = MAX_SAFE_INTEGER;
    }
    Ruleset::new(policy)
}

/// Returns the number of violations of a body, if a policy rejects it; that of a body that cannot be
/// read is one.
fn violations_if_rejected(ruleset: &Ruleset, text: &str, now: Option<Timestamp>) -> Option<usize> {
    let mut body = RequestBody::new();
    if body.read(ruleset, text.as_bytes()).is_err() {
        return Some(1);
    }
    let mut report = ReportBuilder::new(usize::MAX);
    validate(ruleset, &body, RuleInputs::at(now), &mut report);
    (!report.summary.valid).then(|| report.violations().len())
}

fn found(best: Option<Candidate>) -> Found {
    match best {
        None => Found::None,
        Some(candidate) if candidate.body.omitted > 0 => Found::TooLong,
        Some(candidate) => Found::Witness(PolicyWitness {
            body: candidate.body.text,
            now: candidate.now,
        }),
    }
}
