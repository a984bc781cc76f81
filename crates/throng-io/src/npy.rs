//! Fields as NumPy arrays: `'<f4'`, C order, row 0 the south row.

use std::path::Path;

use npyz::{DType, WriterBuilder};

use crate::atomic::{WriteError, write_atomically};

/// An array could not be stored.
#[derive(Debug, thiserror::Error)]
pub enum NpyError {
    /// The values do not fill the shape.
    #[error(
        "the array has {given} values, but its shape ({}) asks for {}",
        list(shape),
        count(shape).map_or_else(|| "more than can be counted".to_owned(), |n| n.to_string())
    )]
    Length {
        /// The shape asked for, slowest axis first.
        shape: Vec<usize>,
        /// How many values there are.
        given: usize,
    },
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

fn list(shape: &[usize]) -> String {
    let parts: Vec<_> = shape.iter().map(ToString::to_string).collect();
    parts.join(", ")
}

fn count(shape: &[usize]) -> Option<usize> {
    shape.iter().try_fold(1_usize, |product, &side| product.checked_mul(side))
}

/// Writes one number per cell as an array of shape `(height, width)`.
///
/// The file appears whole or not at all, see
/// [`write_atomically`].
///
/// # Errors
///
/// [`NpyError`], when the number of values is not `width * height` or the
/// file cannot be written.
pub fn write_npy_scalar(path: &Path, width: usize, height: usize, values: &[f32]) -> Result<(), NpyError> {
    write(path, &[height, width], values)
}

/// Writes `components` numbers per cell, those of a cell side by side, as an
/// array of shape `(height, width, components)`.
///
/// The file appears whole or not at all, see
/// [`write_atomically`].
///
/// # Errors
///
/// [`NpyError`], when the number of values is not
/// `width * height * components` or the file cannot be written.
pub fn write_npy_vector(
    path: &Path,
    width: usize,
    height: usize,
    components: usize,
    values: &[f32],
) -> Result<(), NpyError> {
    write(path, &[height, width, components], values)
}

fn write(path: &Path, shape: &[usize], values: &[f32]) -> Result<(), NpyError> {
    if count(shape) != Some(values.len()) {
        return Err(NpyError::Length { shape: shape.to_vec(), given: values.len() });
    }
    let sides: Vec<u64> = shape.iter().map(|&side| side as u64).collect();
    // Spelled out rather than npyz's default for f32, which is the byte order
    // of the machine: the files are the same wherever they were written.
    let little_endian = DType::Plain("<f4".parse().expect("'<f4' is a type string"));
    write_atomically(path, |out| {
        let mut array = npyz::WriteOptions::<f32>::new().dtype(little_endian).shape(&sides).writer(out).begin_nd()?;
        array.extend(values.iter().copied())?;
        array.finish()
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &Path) -> (Vec<u64>, String, npyz::Order, Vec<f32>) {
        let bytes = std::fs::read(path).unwrap();
        let file = npyz::NpyFile::new(&bytes[..]).unwrap();
        let (shape, order) = (file.shape().to_vec(), file.order());
        let dtype = file.dtype().descr();
        (shape, dtype, order, file.into_vec().unwrap())
    }

    #[test]
    fn scalar_comes_back_as_it_went() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        let values = [0.0, 1.5, -2.0, f32::INFINITY, 1e-40, 7.0];
        write_npy_scalar(&path, 3, 2, &values).unwrap();
        let (shape, dtype, order, back) = read(&path);
        assert_eq!(shape, [2, 3]);
        assert_eq!(dtype, "'<f4'");
        assert_eq!(order, npyz::Order::C);
        assert_eq!(back, values);
    }

    #[test]
    fn vector_comes_back_as_it_went() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        let values: Vec<f32> = (0_u8..24).map(f32::from).collect();
        write_npy_vector(&path, 4, 3, 2, &values).unwrap();
        let (shape, _, _, back) = read(&path);
        assert_eq!(shape, [3, 4, 2]);
        assert_eq!(back, values);
    }

    #[test]
    fn an_empty_array_is_an_array() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        write_npy_scalar(&path, 0, 5, &[]).unwrap();
        assert_eq!(read(&path).0, [5, 0]);
    }

    #[test]
    fn a_wrong_number_of_values_is_refused_and_writes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        let message = write_npy_scalar(&path, 3, 2, &[0.0; 5]).unwrap_err().to_string();
        assert!(message.contains("5 values"), "{message}");
        assert!(message.contains("(2, 3)"), "{message}");
        assert!(message.contains("asks for 6"), "{message}");
        assert!(write_npy_vector(&path, usize::MAX, 2, 2, &[]).is_err());
        assert!(!path.exists());
    }
}
