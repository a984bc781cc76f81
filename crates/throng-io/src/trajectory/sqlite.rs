//! JuPedSim's database of trajectories, schema version 2.

use super::{Format, Frame, RecordingInfo};
use rusqlite::{Connection, params};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// As JuPedSim's `SqliteTrajectoryWriter` makes it.
const SCHEMA: &str = "
    CREATE TABLE trajectory_data (
        frame INTEGER NOT NULL,
        id INTEGER NOT NULL,
        pos_x REAL NOT NULL,
        pos_y REAL NOT NULL,
        ori_x REAL NOT NULL,
        ori_y REAL NOT NULL);
    CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);
    CREATE UNIQUE INDEX geometry_hash on geometry(hash);
    CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
    CREATE INDEX frame_id_idx ON trajectory_data(frame, id);
";

/// Frames are in the file for good after so long, at the latest when the next one comes.
const COMMIT_AFTER: Duration = Duration::from_millis(250);

/// The database. Between commits SQLite has a journal beside it, by which
/// whoever opens the file after a kill gets it as it was at the last commit.
pub(super) struct Database {
    db: Connection,
    /// Of the walkable area now.
    geometry: i64,
    /// When the transaction was begun, if one is.
    since: Option<Instant>,
    /// Frames of the transaction.
    frames_waiting: u64,
    /// Whether there is a frame in the file: the first does not wait.
    begun: bool,
}

impl Database {
    /// In an empty file.
    pub(super) fn begin(path: &Path, info: &RecordingInfo) -> io::Result<Self> {
        // A journal that an earlier database of that name has left would be played back into this one.
        for beside in ["-journal", "-wal", "-shm"] {
            let mut name = path.as_os_str().to_owned();
            name.push(beside);
            remove(Path::new(&name))?;
        }
        let db = Connection::open(path).map_err(io_error)?;
        // The journal guards against a kill; waiting for the disk would guard against a power cut too.
        db.execute_batch("PRAGMA synchronous=OFF; PRAGMA journal_mode=DELETE;").map_err(io_error)?;
        let mut database = Self { db, geometry: 0, since: None, frames_waiting: 0, begun: false };
        database.create(info).map_err(io_error)?;
        Ok(database)
    }

    fn create(&mut self, info: &RecordingInfo) -> rusqlite::Result<()> {
        let all = self.db.transaction()?;
        all.execute_batch(SCHEMA)?;
        let [width, height] = info.size;
        let mut set = all.prepare("INSERT INTO metadata VALUES(?, ?)")?;
        for (key, value) in [
            ("version", "2".to_owned()),
            ("fps", info.fps.to_string()),
            ("xmin", "0".to_owned()),
            ("ymin", "0".to_owned()),
            ("xmax", width.to_string()),
            ("ymax", height.to_string()),
            ("scene", info.scene.clone()),
        ] {
            set.execute(params![key, value])?;
        }
        drop(set);
        all.commit()
    }

    fn insert(&mut self, frame: &Frame<'_>) -> rusqlite::Result<()> {
        if self.since.is_none() {
            self.db.execute_batch("BEGIN")?;
            self.since = Some(Instant::now());
        }
        // Rows are JuPedSim's numbers: signed, of 64 bits.
        let number = i64::try_from(frame.number).unwrap_or(i64::MAX);
        let mut row = self.db.prepare("INSERT INTO trajectory_data VALUES(?, ?, ?, ?, ?, ?)")?;
        for p in frame.people {
            let [[x, y], [east, north]] = [p.position, p.heading].map(|v| v.map(f64::from));
            row.execute(params![number, p.id, x, y, east, north])?;
        }
        drop(row);
        self.db.execute("INSERT INTO frame_data VALUES(?, ?)", params![number, self.geometry])?;
        self.frames_waiting += 1;
        let due = !self.begun || self.since.is_some_and(|since| since.elapsed() >= COMMIT_AFTER);
        self.begun = true;
        if due { self.commit() } else { Ok(()) }
    }

    fn commit(&mut self) -> rusqlite::Result<()> {
        if self.since.take().is_some() {
            self.db.execute_batch("COMMIT")?;
        }
        self.frames_waiting = 0;
        Ok(())
    }
}

impl Format for Database {
    fn geometry(&mut self, wkt: &str) -> io::Result<()> {
        self.geometry = hash(wkt);
        let insert = "INSERT OR IGNORE INTO geometry VALUES(?, ?)";
        self.db.execute(insert, params![self.geometry, wkt]).map(|_| ()).map_err(io_error)
    }

    fn add(&mut self, frame: &Frame<'_>) -> io::Result<()> {
        self.insert(frame).map_err(io_error)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.commit().map_err(io_error)
    }

    fn waiting(&self) -> u64 {
        self.frames_waiting
    }
}

/// What SQLite says, as the system would.
fn io_error(error: rusqlite::Error) -> io::Error {
    let kind = match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DiskFull) => io::ErrorKind::StorageFull,
        _ => io::ErrorKind::Other,
    };
    io::Error::new(kind, error)
}

fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// FNV-1a: any number will do that is another for another text.
fn hash(text: &str) -> i64 {
    let mix = |h: u64, b: u8| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01B3);
    text.bytes().fold(0xCBF2_9CE4_8422_2325, mix).cast_signed()
}
