//! A report as dictionaries, with the members of its JSON in the same order.

use payspec::{Params, Report, Violation};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Returns the report as a dictionary.
pub(crate) fn objects<'py>(py: Python<'py>, report: &Report) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item(intern!(py, "valid"), report.is_valid())?;
    dict.set_item(
        intern!(py, "variant"),
        report.variant().map(|variant| variant.name()),
    )?;
    dict.set_item(intern!(py, "mode"), report.mode().map(|mode| mode.name()))?;
    dict.set_item(intern!(py, "host2host"), report.host2host())?;
    let violations = PyList::empty(py);
    for one in report.violations() {
        violations.append(violation(py, one)?)?;
    }
    dict.set_item(intern!(py, "violations"), violations)?;
    if report.is_truncated() {
        dict.set_item(intern!(py, "truncated"), true)?;
    }
    Ok(dict)
}

fn violation<'py>(py: Python<'py>, violation: &Violation) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item(intern!(py, "path"), violation.path())?;
    dict.set_item(intern!(py, "code"), violation.code().name())?;
    dict.set_item(intern!(py, "severity"), violation.severity().name())?;
    dict.set_item(intern!(py, "message"), violation.message())?;
    dict.set_item(intern!(py, "source"), violation.source())?;
    if *violation.params() != Params::None {
        let params = pythonize::pythonize(py, violation.params())?;
        dict.set_item(intern!(py, "params"), params)?;
    }
    Ok(dict)
}
