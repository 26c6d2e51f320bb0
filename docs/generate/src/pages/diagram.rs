//! Diagrams of transitions, as SVG inside pages. Classes of `theme/book.css` give the colors.

use payspec::{Engine, State};
use std::fmt::Write;

const WIDTH: i32 = 124;
const HEIGHT: i32 = 34;

/// Draws the transitions to and from one state: earlier states on the left, later ones on the
/// right.
pub(super) fn of_state(engine: &Engine, state: State) -> String {
    let verdict = |from, to| engine.check_transition(from, to).verdict.name();
    let possible = |name: &str| name == "allowed" || name == "unspecified";
    let others = || {
        State::ALL
            .iter()
            .copied()
            .filter(move |other| *other != state)
    };
    let from: Vec<State> = others()
        .filter(|other| possible(verdict(*other, state)))
        .collect();
    let to: Vec<State> = others()
        .filter(|other| possible(verdict(state, *other)))
        .collect();
    let rows = from.len().max(to.len()).max(1);
    let height = i32::try_from(rows).unwrap_or(1) * 46 + 8;
    let middle = height / 2;
    let label = format!(
        "{} can be reached from {} and can change to {}",
        state.name(),
        listed(&from),
        listed(&to)
    );
    let mut out = open(640, height, &label);
    for (column, states, is_target) in [(8, &from, false), (508, &to, true)] {
        let count = i32::try_from(states.len()).unwrap_or(0);
        for (index, other) in states.iter().enumerate() {
            let y = middle + (i32::try_from(index).unwrap_or(0) * 2 - count + 1) * 23;
            let class = if is_target {
                verdict(state, *other)
            } else {
                verdict(*other, state)
            };
            let (x1, y1, x2, y2) = if is_target {
                (258 + WIDTH, middle, column - 4, y)
            } else {
                (column + WIDTH, y, 254, middle)
            };
            let bend = (x1 + x2) / 2;
            let _ = writeln!(
                out,
                "<path class=\"edge {class}\" d=\"M{x1} {y1} C{bend} {y1} {bend} {y2} {x2} {y2}\" marker-end=\"url(#arrow)\"/>"
            );
            node(&mut out, column, y, other.name(), other.is_final(), false);
        }
    }
    node(&mut out, 258, middle, state.name(), state.is_final(), true);
    out.push_str("</svg>\n");
    out
}

fn listed(states: &[State]) -> String {
    let names: Vec<&str> = states.iter().map(|state| state.name()).collect();
    if names.is_empty() {
        "no other state".to_owned()
    } else {
        names.join(", ")
    }
}

/// Draws all allowed transitions, with a column for each step from the creation to the end.
pub(super) fn graph(engine: &Engine) -> String {
    let columns: [&[State]; 4] = [
        &[State::Idle],
        &[State::Routed],
        &[State::Completed, State::NotFully, State::Fail],
        &[State::Cancel, State::Chargeback, State::Correction],
    ];
    let at = |state: State| {
        columns.iter().enumerate().find_map(|(column, states)| {
            let row = states.iter().position(|other| *other == state)?;
            let (column, row, count) = (
                i32::try_from(column).ok()?,
                i32::try_from(row).ok()?,
                i32::try_from(states.len()).ok()?,
            );
            Some((8 + column * 206, 140 + (row * 2 - count + 1) * 44, column))
        })
    };
    let mut out = open(
        760,
        290,
        "The transitions that the conventional policy allows",
    );
    for from in State::ALL {
        for to in State::ALL {
            if engine.check_transition(*from, *to).verdict.name() != "allowed" || from == to {
                continue;
            }
            let (Some((x1, y1, column1)), Some((x2, y2, column2))) = (at(*from), at(*to)) else {
                continue;
            };
            let path = if column2 > column1 {
                let (x1, x2) = (x1 + WIDTH, x2 - 4);
                // Edges over several columns are led around the nodes between them.
                let lift = if column2 - column1 > 1 && y1 == y2 {
                    100
                } else {
                    0
                };
                let bend = (x2 - x1) / 2;
                format!(
                    "M{x1} {y1} C{} {} {} {} {x2} {y2}",
                    x1 + bend,
                    y1 - lift,
                    x2 - bend,
                    y2 - lift
                )
            } else {
                let (x, side) = (
                    x1 + WIDTH / 2,
                    if y2 > y1 { HEIGHT / 2 } else { -HEIGHT / 2 },
                );
                format!("M{x} {} L{} {}", y1 + side, x2 + WIDTH / 2, y2 - side)
            };
            let _ = writeln!(
                out,
                "<path class=\"edge allowed\" d=\"{path}\" marker-end=\"url(#arrow)\"/>"
            );
        }
    }
    for state in State::ALL {
        if let Some((x, y, _)) = at(*state) {
            node(&mut out, x, y, state.name(), state.is_final(), false);
        }
    }
    out.push_str("</svg>\n");
    out
}

fn open(width: i32, height: i32, label: &str) -> String {
    format!(
        "<svg class=\"states\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\">\n<defs><marker id=\"arrow\" \
         viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto-start-reverse\">\
         <path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n"
    )
}

/// Draws a box that is vertically centered at `y`. Final states have a double border.
fn node(out: &mut String, x: i32, y: i32, name: &str, is_final: bool, is_subject: bool) {
    let class = if is_subject { "node subject" } else { "node" };
    let top = y - HEIGHT / 2;
    let _ = write!(
        out,
        "<g class=\"{class}\"><rect x=\"{x}\" y=\"{top}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"6\"/>"
    );
    if is_final {
        let _ = write!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\"/>",
            x + 3,
            top + 3,
            WIDTH - 6,
            HEIGHT - 6
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\">{name}</text></g>",
        x + WIDTH / 2,
        y + 5
    );
}
