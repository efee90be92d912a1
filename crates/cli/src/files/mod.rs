//! Files and tables: results in their formats, columns and units, standard output.

pub(crate) mod kind;
pub(crate) mod mat;
pub(crate) mod mat_read;
pub mod output;
pub(crate) mod parquet;
pub(crate) mod parquet_read;
pub(crate) mod result_file;
pub mod results;
pub(crate) mod table_cell;
pub(crate) mod thrift;
pub(crate) mod units;
