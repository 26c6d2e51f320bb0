//! Writes a body of Python objects as JSON, with the rules of the module `json`.
//!
//! Only methods of other mappings and of subclasses run code of the caller. It may change objects
//! that are being written, so the members of each are copied before.

use payspec::Error;
use pyo3::exceptions::{PyRecursionError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple, PyType,
};

use crate::error::of_core;
use crate::input::utf8;

/// The deepest level. An object that contains itself exceeds it.
const DEEPEST: usize = 500;
/// The largest text in bytes. Objects that contain the same list many times can be larger.
const LARGEST: usize = 1 << 30;
/// The largest exponent of a `Decimal`: without a limit, a short one can have a billion digits.
const LARGEST_EXPONENT: i64 = 4300;

/// Returns a body as JSON.
#[pyfunction]
pub(crate) fn json_of<'py>(body: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(body.py(), &text_of(body)?))
}

/// Returns a body as JSON.
///
/// # Errors
/// Returns the exception for a value that JSON cannot contain.
pub(crate) fn text_of(body: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if body.is_none() {
        return Err(of_core(body.py(), &Error::argument("/body", "required")));
    }
    let is_object = || Ok::<_, PyErr>(body.cast::<PyMapping>().is_ok() || is_dataclass(body)?);
    if body.cast::<PyDict>().is_err() && !is_object()? {
        let kind = body.get_type().name()?;
        let message = format!("expected bytes or str, not {kind}");
        return Err(PyTypeError::new_err(message));
    }
    let mut writer = Writer {
        out: Vec::with_capacity(1024),
    };
    writer.value(body, 0)?;
    Ok(writer.out)
}

struct Writer {
    out: Vec<u8>,
}

impl Writer {
    fn value(&mut self, value: &Bound<'_, PyAny>, depth: usize) -> PyResult<()> {
        if let Ok(text) = value.cast_exact::<PyString>() {
            return self.string(text);
        }
        if value.is_none() {
            self.out.extend_from_slice(b"null");
        } else if let Ok(flag) = value.cast_exact::<PyBool>() {
            self.boolean(flag);
        } else if let Ok(dict) = value.cast_exact::<PyDict>() {
            self.members(dict.items().iter().map(Ok), deeper(depth)?)?;
        } else if let Ok(number) = value.cast::<PyInt>() {
            self.integer(number)?;
        } else if let Ok(number) = value.cast::<PyFloat>() {
            self.float(number)?;
        } else if let Ok(list) = value.cast_exact::<PyList>() {
            self.items(list.to_tuple().iter().map(Ok), deeper(depth)?)?;
        } else if let Ok(tuple) = value.cast_exact::<PyTuple>() {
            self.items(tuple.iter().map(Ok), deeper(depth)?)?;
        } else {
            self.other(value, depth)?;
        }
        Ok(())
    }

    /// Writes a value of a rare type.
    #[inline(never)]
    fn other(&mut self, value: &Bound<'_, PyAny>, depth: usize) -> PyResult<()> {
        let py = value.py();
        if let Ok(text) = value.cast::<PyString>() {
            self.string(text)
        } else if value.cast::<PyMapping>().is_ok() {
            let items = value.call_method0(intern!(py, "items"))?;
            self.members(items.try_iter()?, deeper(depth)?)
        } else if value.cast::<PyList>().is_ok() || value.cast::<PyTuple>().is_ok() {
            self.items(value.try_iter()?, deeper(depth)?)
        } else if let Some(text) = text_of_other(value)? {
            self.string(text.cast()?)
        } else if is_dataclass(value)? {
            self.fields(value, deeper(depth)?)
        } else {
            let kind = value.get_type().name()?;
            let message = format!("a {kind} cannot be written as JSON");
            Err(PyTypeError::new_err(message))
        }
    }

    /// Writes the fields of an instance of a dataclass.
    fn fields<'py>(&mut self, value: &Bound<'py, PyAny>, depth: usize) -> PyResult<()> {
        let py = value.py();
        let fields = FIELDS
            .import(py, "dataclasses", "fields")?
            .call1((value,))?;
        let pair = |field: PyResult<Bound<'py, PyAny>>| {
            let name = field?.getattr(intern!(py, "name"))?;
            let member = value.getattr(name.cast::<PyString>()?)?;
            Ok(PyTuple::new(py, [name, member])?.into_any())
        };
        self.members(fields.try_iter()?.map(pair), depth)
    }

    fn members<'py>(
        &mut self,
        pairs: impl Iterator<Item = PyResult<Bound<'py, PyAny>>>,
        depth: usize,
    ) -> PyResult<()> {
        let mut mark = b'{';
        for pair in pairs {
            let pair = pair?;
            let (key, value) = match pair.cast_exact::<PyTuple>() {
                Ok(pair) if pair.len() == 2 => (pair.get_item(0)?, pair.get_item(1)?),
                _ => pair.extract()?,
            };
            self.out.push(std::mem::replace(&mut mark, b','));
            self.key(&key)?;
            self.out.push(b':');
            self.value(&value, depth)?;
        }
        if mark == b'{' {
            self.out.push(mark);
        }
        self.out.push(b'}');
        self.check_size()
    }

    fn key(&mut self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(text) = key.cast::<PyString>() {
            return self.string(text);
        }
        self.out.push(b'"');
        if key.is_none() {
            self.out.extend_from_slice(b"null");
        } else if let Ok(flag) = key.cast_exact::<PyBool>() {
            self.boolean(flag);
        } else if let Ok(number) = key.cast::<PyInt>() {
            self.integer(number)?;
        } else if let Ok(number) = key.cast::<PyFloat>() {
            self.float(number)?;
        } else {
            let kind = key.get_type().name()?;
            let message = format!("keys must be str, int, float, bool or None, not {kind}");
            return Err(PyTypeError::new_err(message));
        }
        self.out.push(b'"');
        Ok(())
    }

    fn items<'py>(
        &mut self,
        items: impl Iterator<Item = PyResult<Bound<'py, PyAny>>>,
        depth: usize,
    ) -> PyResult<()> {
        let mut mark = b'[';
        for item in items {
            self.out.push(std::mem::replace(&mut mark, b','));
            self.value(&item?, depth)?;
            self.check_size()?;
        }
        if mark == b'[' {
            self.out.push(mark);
        }
        self.out.push(b']');
        Ok(())
    }

    fn check_size(&self) -> PyResult<()> {
        if self.out.len() > LARGEST {
            return Err(PyValueError::new_err("the body is larger than 1 GiB"));
        }
        Ok(())
    }

    fn boolean(&mut self, flag: &Bound<'_, PyBool>) {
        let word: &[u8] = if flag.is_true() { b"true" } else { b"false" };
        self.out.extend_from_slice(word);
    }

    fn integer(&mut self, number: &Bound<'_, PyInt>) -> PyResult<()> {
        if let Ok(small) = number.extract::<i64>() {
            let mut digits = itoa::Buffer::new();
            self.out.extend_from_slice(digits.format(small).as_bytes());
            return Ok(());
        }
        // Not the method of a subclass. It raises ValueError for more than 4300 digits.
        let kind = number.py().get_type::<PyInt>();
        self.represented(&kind, number)
    }

    fn float(&mut self, number: &Bound<'_, PyFloat>) -> PyResult<()> {
        if !number.value().is_finite() {
            let message = "Out of range float values are not JSON compliant";
            return Err(PyValueError::new_err(message));
        }
        let kind = number.py().get_type::<PyFloat>();
        self.represented(&kind, number)
    }

    /// Writes the representation of a number as an instance of its base.
    fn represented(&mut self, kind: &Bound<'_, PyType>, number: &Bound<'_, PyAny>) -> PyResult<()> {
        let text = kind.call_method1(intern!(kind.py(), "__repr__"), (number,))?;
        let text = text.cast::<PyString>()?;
        self.out.extend_from_slice(text.to_str()?.as_bytes());
        Ok(())
    }

    fn string(&mut self, text: &Bound<'_, PyString>) -> PyResult<()> {
        self.out.push(b'"');
        let bytes = utf8(text)?;
        let mut rest: &[u8] = &bytes;
        let needs_escape = |byte: &u8| matches!(byte, 0..0x20 | b'"' | b'\\');
        while let Some((plain, (byte, others))) = rest
            .iter()
            .position(needs_escape)
            .and_then(|at| rest.split_at_checked(at))
            .and_then(|(plain, others)| Some((plain, others.split_first()?)))
        {
            self.out.extend_from_slice(plain);
            match byte {
                b'"' | b'\\' => self.out.extend_from_slice(&[b'\\', *byte]),
                byte => self
                    .out
                    .extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            }
            rest = others;
        }
        self.out.extend_from_slice(rest);
        self.out.push(b'"');
        Ok(())
    }
}

/// Returns the depth of the members of a value.
fn deeper(depth: usize) -> PyResult<usize> {
    if depth >= DEEPEST {
        let message = format!("a body nests deeper than {DEEPEST} levels, or contains itself");
        return Err(PyRecursionError::new_err(message));
    }
    Ok(depth.saturating_add(1))
}

/// Checks if an object is an instance of a dataclass, and not the class itself.
fn is_dataclass(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let kind = value.get_type();
    kind.hasattr(intern!(value.py(), "__dataclass_fields__"))
}

static FIELDS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static DECIMAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static UUID: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static DATETIME: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Returns the text of a `Decimal`, a `UUID`, or a `datetime` with a time zone.
fn text_of_other<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = value.py();
    if value.is_instance(DECIMAL.import(py, "decimal", "Decimal")?)? {
        let exponent = value.call_method0(intern!(py, "adjusted"))?;
        if exponent.extract::<i64>()?.abs() > LARGEST_EXPONENT {
            let message = format!("a Decimal has an exponent of more than {LARGEST_EXPONENT}");
            return Err(PyValueError::new_err(message));
        }
        return value
            .call_method1(intern!(py, "__format__"), ("f",))
            .map(Some);
    }
    if value.is_instance(UUID.import(py, "uuid", "UUID")?)? {
        return value.str().map(|text| Some(text.into_any()));
    }
    if value.is_instance(DATETIME.import(py, "datetime", "datetime")?)? {
        if value.getattr(intern!(py, "tzinfo"))?.is_none() {
            return Err(PyValueError::new_err("a datetime needs a time zone"));
        }
        return value.call_method0(intern!(py, "isoformat")).map(Some);
    }
    Ok(None)
}
