//! Explains a state of payments.

use payspec::{Engine, State};

use crate::catalog::sentence;
use crate::page::Page;

pub(super) fn explain(engine: &Engine, state: State, page: &mut Page) {
    page.title(state.name());
    page.paragraph(&sentence(state.meaning().trim_end_matches('.')));
    page.line("");
    page.term("Source", "§3 of the specification");
    page.term("Outcome", state.outcome().name());
    page.term("Final", if state.is_final() { "yes" } else { "no" });
    let flags = state
        .legacy_flags()
        .members()
        .map(|([_, name], value)| format!("{name} {value}"));
    page.term("Legacy API", &flags.collect::<Vec<_>>().join(", "));
    page.line("");
    page.title("Transitions to");
    for to in State::ALL {
        let transition = engine.check_transition(state, *to);
        page.columns(
            to.name(),
            14,
            &format!(
                "{}: {} ({})",
                transition.verdict.name(),
                transition.reason,
                transition.source
            ),
        );
    }
}
