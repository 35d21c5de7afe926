//! Whether standard error is a terminal that wants colours.

use codegen::diagnostic::Look;
use std::io::IsTerminal;

/// The style of diagnostics on standard error: coloured on a terminal, unless `NO_COLOR` is set to
/// anything (<https://no-color.org>).
pub(crate) fn look() -> Look {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if std::io::stderr().is_terminal() && !refused {
        Look::Coloured
    } else {
        Look::Plain
    }
}
