//! What is compiled, as Python has it.

use crate::code::{self, Options};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// Kernels that are compiled.
#[pyclass(frozen, module = "weft._native")]
pub struct Code(pub Arc<code::Code>);

/// A parameter of a kernel, or a variable.
#[pyclass(frozen, get_all, module = "weft._native")]
pub struct Parameter {
    pub name: String,
    pub type_name: String,
    pub kind: &'static str,
    pub scalar: Option<String>,
    pub shape: Vec<u32>,
    pub is_const: bool,
    pub size: u32,
}

impl From<code::Parameter> for Parameter {
    fn from(of: code::Parameter) -> Parameter {
        Parameter {
            name: of.name,
            type_name: of.type_name,
            kind: of.kind,
            scalar: of.scalar,
            shape: of.shape,
            is_const: of.is_const,
            size: of.size,
        }
    }
}

#[pymethods]
impl Code {
    /// Names of the kernels; of each its parameters, or a text that says why it cannot be launched.
    #[getter]
    fn kernels(&self, py: Python) -> PyResult<Vec<(String, Py<PyAny>)>> {
        let kernels = self.0.kernels().into_iter();
        let object = |parameters: Result<Vec<code::Parameter>, String>| -> PyResult<_> {
            match parameters {
                Ok(all) => {
                    let all: Vec<Parameter> = all.into_iter().map(Parameter::from).collect();
                    Ok(all.into_pyobject(py)?.unbind())
                }
                Err(why) => Ok(why.into_pyobject(py)?.into_any().unbind()),
            }
        };
        kernels
            .map(|(name, parameters)| Ok((name, object(parameters)?)))
            .collect()
    }

    /// Variables that the host reaches.
    #[getter]
    fn variables(&self) -> Vec<Parameter> {
        self.0
            .variables()
            .into_iter()
            .map(Parameter::from)
            .collect()
    }

    /// What the compiler said though it was content.
    #[getter]
    fn log(&self) -> &str {
        &self.0.log
    }
}

/// Compiles a file, or a text of this name, in "c" or "opencl", for "hard" or "soft" float. Gives the code, or what the
/// compiler said. ValueError: options that there are none of, or no compiler.
#[pyfunction]
#[pyo3(signature = (language, name, text, float, flags, compiler, console))]
#[allow(clippy::too_many_arguments)]
pub fn compile(
    py: Python,
    language: &str,
    name: &str,
    text: Option<String>,
    float: &str,
    flags: Vec<String>,
    compiler: Option<String>,
    console: Option<u32>,
) -> PyResult<Py<PyAny>> {
    let options = Options {
        float: float
            .parse()
            .map_err(|why| PyValueError::new_err(format!("float={float:?}: {why}")))?,
        compiler,
        flags,
        console,
    };
    let made = py.detach(|| -> PyResult<_> {
        let unread = |error: std::io::Error| PyOSError::new_err(format!("{name}: {error}"));
        match (language, &text) {
            ("opencl", Some(text)) => Ok(code::opencl(name, text, &options)),
            ("opencl", None) => {
                let text = std::fs::read(name).map_err(unread)?;
                Ok(code::opencl(
                    name,
                    &String::from_utf8_lossy(&text),
                    &options,
                ))
            }
            ("c", None) => Ok(code::c(&PathBuf::from(name), &options)),
            ("c", Some(text)) => {
                let dir = tempfile::tempdir().map_err(unread)?;
                let file = dir.path().join("source.c");
                // Messages and lines of code name the text, not this file.
                let text = format!("#line 1 \"{name}\"\n{text}");
                std::fs::write(&file, text).map_err(unread)?;
                // DWARF 5 has a digest of each file, and there is no file of this name.
                let older = std::iter::once("-gdwarf-4".to_string());
                let options = Options {
                    flags: older.chain(options.flags.iter().cloned()).collect(),
                    ..options.clone()
                };
                let made = code::c(&file, &options);
                Ok(made.map_err(|failure| code::Failure {
                    text: failure.text.replace(&*file.to_string_lossy(), name),
                    ..failure
                }))
            }
            _ => Err(PyValueError::new_err(format!(
                "language={language:?}: \"c\" or \"opencl\""
            ))),
        }
    })?;
    match made {
        Ok(code) => Ok(Code(Arc::new(code)).into_pyobject(py)?.into_any().unbind()),
        Err(failure) if failure.is_usage => Err(PyValueError::new_err(failure.text)),
        Err(failure) => Ok(failure.text.into_pyobject(py)?.into_any().unbind()),
    }
}
