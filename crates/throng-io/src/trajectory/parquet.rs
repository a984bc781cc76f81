//! Trajectories as columns.
//!
//! A Parquet file is read from its end: a footer says where everything is, and
//! the last eight bytes how long the footer is. So that a killed run leaves a
//! file that opens, every group of rows is followed by a footer of all rows so
//! far (later ones leave it behind, unused), and is put in place in an order
//! that has the end in order at every moment ([`Columns::place`]).

use super::{Format, Frame, RecordingInfo};
use parquet::basic::Encoding;
use parquet::data_type::{DataType, DoubleType, FloatType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataWriter};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnPath, SchemaDescriptor};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const SCHEMA: &str = "message trajectories {
    required int64 frame;
    required double time;
    required int32 id (INTEGER(32,false));
    required float x;
    required float y;
    required float heading;
    required float speed;
    required int32 group;
    required int32 goal;
}";

/// What the columns hold: name, unit, meaning.
const COLUMNS: [[&str; 3]; 9] = [
    ["frame", "", "number of the frame"],
    ["time", "s", "simulated time"],
    ["id", "", "of the person, the same in every frame"],
    ["x", "m", "where its centre is, to the east"],
    ["y", "m", "where its centre is, to the north"],
    ["heading", "rad", "where it faces: 0 is east, π/2 north"],
    ["speed", "m/s", "how fast it moved"],
    ["group", "", "number of its group, as in `groups`"],
    ["goal", "", "number of the goal that it heads for, as in `goals`; -1 is a point of its own"],
];

/// Rows of a group at most.
const GROUP_ROWS: usize = 1 << 20;
/// About what a row takes in the file.
const ROW_BYTES: usize = 18;
/// Rows do not wait longer than this for their group to fill, unless the footer is large beside it.
const WAIT: Duration = Duration::from_secs(1);
/// A group is at least so many times as large as its footer.
const WORTH: usize = 8;
/// The end of a file: how long the footer is, and four letters.
const END: usize = 8;

/// Rows that wait for their group.
#[derive(Default)]
struct Rows {
    frame: Vec<i64>,
    time: Vec<f64>,
    id: Vec<i32>,
    x: Vec<f32>,
    y: Vec<f32>,
    heading: Vec<f32>,
    speed: Vec<f32>,
    group: Vec<i32>,
    goal: Vec<i32>,
}

impl Rows {
    fn add(&mut self, frame: &Frame<'_>) {
        let people = frame.people;
        self.frame.resize(self.frame.len() + people.len(), i64::try_from(frame.number).unwrap_or(i64::MAX));
        self.time.resize(self.frame.len(), frame.time);
        self.id.extend(people.iter().map(|p| p.id.cast_signed()));
        self.x.extend(people.iter().map(|p| p.position[0]));
        self.y.extend(people.iter().map(|p| p.position[1]));
        self.heading.extend(people.iter().map(|p| p.heading[1].atan2(p.heading[0])));
        self.speed.extend(people.iter().map(|p| p.speed));
        self.group.extend(people.iter().map(|p| i32::from(p.group)));
        self.goal.extend(people.iter().map(|p| p.goal.map_or(-1, i32::from)));
    }

    fn write(&self, mut group: SerializedRowGroupWriter<'_, Vec<u8>>) -> Result<(), ParquetError> {
        column::<Int64Type>(&mut group, &self.frame)?;
        column::<DoubleType>(&mut group, &self.time)?;
        column::<Int32Type>(&mut group, &self.id)?;
        for floats in [&self.x, &self.y, &self.heading, &self.speed] {
            column::<FloatType>(&mut group, floats)?;
        }
        column::<Int32Type>(&mut group, &self.group)?;
        column::<Int32Type>(&mut group, &self.goal)?;
        group.close().map(|_| ())
    }

    fn clear(&mut self) {
        self.frame.clear();
        self.time.clear();
        self.id.clear();
        for floats in [&mut self.x, &mut self.y, &mut self.heading, &mut self.speed] {
            floats.clear();
        }
        self.group.clear();
        self.goal.clear();
    }
}

fn column<T: DataType>(group: &mut SerializedRowGroupWriter<'_, Vec<u8>>, values: &[T::T]) -> Result<(), ParquetError> {
    let next = group.next_column()?;
    let mut column = next.ok_or_else(|| ParquetError::General("more columns than the schema has".into()))?;
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()
}

/// The file.
pub(super) struct Columns {
    file: File,
    /// Makes row groups in memory, and knows where in the file they will be.
    writer: SerializedFileWriter<Vec<u8>>,
    rows: Rows,
    /// Frames that they are of.
    frames_waiting: u64,
    /// What the footer says besides.
    about: Vec<KeyValue>,
    /// The walkable area: from which frame on, and the text.
    geometry: Vec<Value>,
    /// The number of the next frame, as far as it is known.
    next_frame: u64,
    /// Where the footer that counts begins, and where the file ends.
    footer: u64,
    end: u64,
    last_group: Instant,
}

impl Columns {
    pub(super) fn begin(path: &Path, info: &RecordingInfo) -> io::Result<Self> {
        let schema = Arc::new(parse_message_type(SCHEMA).map_err(io_error)?);
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("throng ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_offset_index_disabled(true)
            // Floats hardly repeat.
            .set_dictionary_enabled(false)
            .set_column_dictionary_enabled(ColumnPath::from("time"), true)
            // Who looks for a moment finds the rows; of the others nobody asks the extent.
            .set_statistics_enabled(EnabledStatistics::None)
            .set_column_statistics_enabled(ColumnPath::from("frame"), EnabledStatistics::Chunk)
            .set_column_statistics_enabled(ColumnPath::from("time"), EnabledStatistics::Chunk);
        // The same or a little more than in the row before: a byte or less.
        for whole in ["frame", "id", "group", "goal"] {
            properties = properties.set_column_encoding(ColumnPath::from(whole), Encoding::DELTA_BINARY_PACKED);
        }
        let writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).map_err(io_error)?;
        let mut columns = Self {
            file: File::create(path)?,
            writer,
            rows: Rows::default(),
            frames_waiting: 0,
            about: about(info),
            geometry: Vec::new(),
            next_frame: 0,
            footer: 0,
            end: 0,
            last_group: Instant::now(),
        };
        columns.write_group()?;
        Ok(columns)
    }

    /// Puts the rows that wait into the file, with a footer.
    fn write_group(&mut self) -> io::Result<()> {
        self.last_group = Instant::now();
        if !self.rows.frame.is_empty() {
            let group = self.writer.next_row_group().map_err(io_error)?;
            self.rows.write(group).map_err(io_error)?;
            self.rows.clear();
        }
        let footer = self.footer_bytes()?;
        // The last bytes are in one page, so that they are written all at once.
        let so_far = self.writer.bytes_written() + footer.len();
        self.writer.write_all(&vec![0; so_far.next_multiple_of(END) - so_far])?;
        self.writer.write_all(&footer)?;
        self.writer.flush()?;
        let bytes = std::mem::take(self.writer.inner_mut());
        self.place(&bytes, footer.len())
    }

    /// A footer for all rows so far.
    fn footer_bytes(&self) -> io::Result<Vec<u8>> {
        let groups = self.writer.flushed_row_groups().to_vec();
        let rows = groups.iter().map(|g| g.num_rows()).sum();
        let properties = self.writer.properties();
        let schema = Arc::new(SchemaDescriptor::new(self.writer.schema_descr().root_schema_ptr()));
        let created_by = Some(properties.created_by().to_owned());
        let mut about = self.about.clone();
        about.push(KeyValue::new("geometry".to_owned(), Value::from(self.geometry.clone()).to_string()));
        let version = properties.writer_version().as_num();
        let file = FileMetaData::new(version, rows, created_by, Some(about), schema, None);
        let mut bytes = Vec::new();
        ParquetMetaDataWriter::new(&mut bytes, &ParquetMetaData::new(file, groups)).finish().map_err(io_error)?;
        Ok(bytes)
    }

    /// Adds bytes that end with a footer to the end of the file. At every moment the last eight bytes lead to a footer:
    /// first to the old one (which readers take to be as long as all that is behind it, and they stop where it says so), at
    /// last to the new one. Only they decide, and they are written at once.
    fn place(&mut self, bytes: &[u8], footer: usize) -> io::Result<()> {
        let (body, end) = bytes.split_at(bytes.len() - END);
        let end_at = self.end + body.len() as u64;
        let placed = (|| {
            if let (Ok(to_old), true) = (u32::try_from(end_at - self.footer), self.end > 0) {
                self.write_at(end_at, &[&to_old.to_le_bytes(), &end[4..]].concat())?;
            }
            self.write_at(self.end, body)?;
            self.write_at(end_at, end)
        })();
        if placed.is_err() {
            // Then the file ends where it ended. If that fails too, the first error is the one to tell.
            let _ = self.file.set_len(self.end);
            return placed;
        }
        self.end = end_at + END as u64;
        self.footer = self.end - footer as u64;
        self.frames_waiting = 0;
        Ok(())
    }

    fn write_at(&mut self, place: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(place))?;
        self.file.write_all(bytes)
    }
}

impl Format for Columns {
    fn geometry(&mut self, wkt: &str) -> io::Result<()> {
        if self.geometry.last().is_some_and(|last| last["wkt"] == wkt) {
            return Ok(());
        }
        self.geometry.push(json!({ "from_frame": self.next_frame, "wkt": wkt }));
        Ok(())
    }

    fn add(&mut self, frame: &Frame<'_>) -> io::Result<()> {
        if self.next_frame == 0
            && let Some(first) = self.geometry.last_mut()
        {
            first["from_frame"] = frame.number.into();
        }
        self.next_frame = frame.number + 1;
        self.rows.add(frame);
        self.frames_waiting += 1;
        let rows = self.rows.frame.len();
        // The first frame does not wait.
        let due = self.writer.flushed_row_groups().is_empty() || self.last_group.elapsed() >= WAIT;
        let worth = rows * ROW_BYTES >= WORTH * (self.end - self.footer) as usize;
        if rows >= GROUP_ROWS || worth && due { self.write_group() } else { Ok(()) }
    }

    fn finish(&mut self) -> io::Result<()> {
        self.write_group()
    }

    fn waiting(&self) -> u64 {
        self.frames_waiting
    }
}

/// What every footer says about the recording.
fn about(info: &RecordingInfo) -> Vec<KeyValue> {
    let table = |column: usize| -> Value {
        COLUMNS.iter().map(|c| (c[0].to_owned(), Value::from(c[column]))).collect::<serde_json::Map<_, _>>().into()
    };
    let entry = |key: &str, value: Value| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        KeyValue::new(key.to_owned(), text)
    };
    vec![
        entry("scene", info.scene.as_str().into()),
        entry("fps", info.fps.into()),
        entry("size_m", info.size.to_vec().into()),
        entry("units", table(1)),
        entry("meanings", table(2)),
        entry("groups", info.groups.clone().into()),
        entry("goals", info.goals.clone().into()),
    ]
}

fn io_error(error: ParquetError) -> io::Error {
    io::Error::other(error)
}
