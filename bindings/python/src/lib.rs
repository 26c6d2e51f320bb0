//! The native module of the Python package: converts objects, and calls the core. Its types for
//! Python are in `payspec/_native.pyi`.

mod batch;
mod engine;
mod error;
mod input;
mod memory;
mod report;
mod write;

use payspec::operations::OPERATIONS;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Returns the name of each operation with the names of its inputs.
#[pyfunction]
fn operations(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let table = PyDict::new(py);
    for operation in OPERATIONS {
        let names = operation.inputs.iter().map(|input| input.name);
        table.set_item(operation.name, PyTuple::new(py, names.collect::<Vec<_>>())?)?;
    }
    Ok(table)
}

#[pymodule(name = "_native")]
fn native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<memory::Memory>()?;
    module.add_function(wrap_pyfunction!(operations, module)?)?;
    module.add_function(wrap_pyfunction!(write::json_of, module)?)
}
