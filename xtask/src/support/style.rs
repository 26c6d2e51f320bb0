//! Terminal colors. Colors are omitted in a pipe and with NO_COLOR.

use anstyle::{AnsiColor, Style};

/// Headings.
pub(crate) const BOLD: Style = Style::new().bold();
/// Secondary text.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// Success.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Failure.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// Warnings.
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default().bold();
