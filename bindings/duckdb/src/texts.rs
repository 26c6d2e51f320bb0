//! A column of strings in a chunk of DuckDB.

use duckdb::core::{DataChunkHandle, FlatVector};
use duckdb::ffi::duckdb_string_t;
use duckdb::types::DuckString;

/// A column of the type VARCHAR.
pub(crate) struct Texts<'a> {
    column: FlatVector<'a>,
    rows: usize,
}

impl<'a> Texts<'a> {
    /// Takes a column of a chunk whose columns all have the type VARCHAR; `None` if the chunk has
    /// fewer columns.
    pub(crate) fn of(chunk: &'a DataChunkHandle, column: usize) -> Option<Texts<'a>> {
        (column < chunk.num_columns()).then(|| Texts { column: chunk.flat_vector(column), rows: chunk.len() })
    }

    /// Returns the text of a row; `None` for NULL.
    pub(crate) fn get(&mut self, row: usize) -> Option<&[u8]> {
        if self.column.row_is_null(u64::try_from(row).ok()?) {
            return None;
        }
        // SAFETY: the signatures of the functions have only parameters of the type VARCHAR, which
        // DuckDB stores as `duckdb_string_t`, one for each row of the chunk. `self` is borrowed for
        // as long as the text, and no other value refers to this column.
        let texts = unsafe { self.column.as_mut_slice_with_len::<duckdb_string_t>(self.rows) };
        texts.get_mut(row).map(|text| DuckString::new(text).as_bytes())
    }
}
