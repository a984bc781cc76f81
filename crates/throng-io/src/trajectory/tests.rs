//! What was written is read back.

use super::*;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::record::RowAccessor;
use rusqlite::Connection;
use std::fs::{self, File};

const SQUARE: &str = "POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0))";
const LESS: &str = "POLYGON ((0 0, 9 0, 9 5, 0 5, 0 0))";

fn info() -> RecordingInfo {
    RecordingInfo {
        scene: "a \"test\"".into(),
        fps: 12.5,
        size: [10.0, 5.0],
        groups: vec!["guests, late".into(), "staff".into()],
        goals: vec!["exit".into()],
    }
}

/// So many people in frame number so much.
fn people(frame: u64, count: u32) -> Vec<Person> {
    (0..count)
        .map(|i| Person {
            id: 3 * i + 1,
            position: [0.1 * frame as f32 + i as f32, 2.5],
            heading: [0.0, 1.0],
            speed: 1.25,
            group: (i % 2) as u16,
            goal: (i % 3 > 0).then_some(0),
        })
        .collect()
}

/// A recording of 20 frames with 4 people, numbered from 5; another area from frame 15 on.
fn record(path: &Path) {
    let mut recording = Recording::begin(path, &info()).unwrap();
    recording.geometry(SQUARE).unwrap();
    for number in 5..25 {
        if number == 15 {
            recording.geometry(LESS).unwrap();
        }
        recording.add(&Frame { number, time: number as f64 * 0.08, people: &people(number, 4) }).unwrap();
    }
    recording.finish().unwrap();
}

fn rows_of_parquet(path: &Path) -> Vec<(i64, f64, u32, f32, i32, i32)> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap().map(Result::unwrap);
    let row = |r: ::parquet::record::Row| {
        let id = r.get_uint(2).unwrap();
        (
            r.get_long(0).unwrap(),
            r.get_double(1).unwrap(),
            id,
            r.get_float(3).unwrap(),
            r.get_int(7).unwrap(),
            r.get_int(8).unwrap(),
        )
    };
    rows.map(row).collect()
}

/// As the footer says; and the last group can be read.
fn count_of_parquet(path: &Path) -> i64 {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    if let Some(last) = reader.num_row_groups().checked_sub(1) {
        let group = reader.get_row_group(last).unwrap();
        assert!(group.get_row_iter(None).unwrap().next().unwrap().unwrap().get_uint(2).unwrap() == 1);
    }
    reader.metadata().file_metadata().num_rows()
}

#[test]
fn a_database_has_the_schema_of_version_2_and_every_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite");
    fs::write(&path, "what was there before").unwrap();
    record(&path);
    let db = Connection::open(&path).unwrap();
    let number = |sql: &str| db.query_row(sql, [], |row| row.get::<_, f64>(0)).unwrap();
    let text = |key: &str| {
        db.query_row("SELECT value FROM metadata WHERE key = ?", [key], |row| row.get::<_, String>(0)).unwrap()
    };
    assert_eq!(["version", "fps", "xmin", "ymax"].map(text), ["2", "12.5", "0", "5"]);
    assert_eq!(number("SELECT count(*) FROM trajectory_data"), 80.0);
    assert_eq!(number("SELECT count(*) FROM frame_data"), 20.0);
    assert_eq!(number("SELECT count(DISTINCT geometry_hash) FROM frame_data"), 2.0);
    assert_eq!(
        number("SELECT count(*) FROM frame_data JOIN geometry ON hash = geometry_hash WHERE wkt LIKE '%9 5%'"),
        10.0
    );
    assert!((number("SELECT pos_x FROM trajectory_data WHERE frame = 7 AND id = 4") - 1.7).abs() < 1e-6);
    assert_eq!(number("SELECT ori_y FROM trajectory_data WHERE frame = 7 AND id = 4"), 1.0);
    let indexes =
        "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND name IN ('frame_id_idx', 'geometry_hash')";
    assert_eq!(number(indexes), 2.0);
    drop(db);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no journal stays");
}

#[cfg(unix)]
#[test]
fn two_runs_do_not_record_into_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    for ending in RECORDING_ENDINGS {
        let path = folder.path().join(format!("a.{ending}"));
        fs::write(&path, "what was there before").unwrap();
        let mut first = Recording::begin(&path, &info()).unwrap();
        first.add(&Frame { number: 0, time: 0.0, people: &people(0, 3) }).unwrap();
        let second = Recording::begin(&path, &info()).unwrap_err().to_string();
        assert!(second.ends_with("another run records into it now"), "{second}");
        first.add(&Frame { number: 1, time: 0.04, people: &people(1, 3) }).unwrap();
        first.finish().unwrap();
        drop(first);
        let bytes = fs::read(&path).unwrap();
        record(&path);
        assert!(bytes.len() > 100 && fs::read(&path).unwrap() != bytes, "{ending}: it is free again");
    }
}

#[test]
fn columns_have_units_names_and_every_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    record(&path);
    let rows = rows_of_parquet(&path);
    assert_eq!(rows.len(), 80);
    assert_eq!(rows[0], (5, 0.4, 1, 0.5, 0, -1));
    assert_eq!(rows[79], (24, 1.92, 10, people(24, 4)[3].position[0], 1, -1));
    let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
    let about = reader.metadata().file_metadata().key_value_metadata().unwrap().clone();
    let value = |key: &str| about.iter().find(|e| e.key == key).unwrap().value.clone().unwrap();
    let parsed = |key: &str| serde_json::from_str::<serde_json::Value>(&value(key)).unwrap();
    assert_eq!(value("scene"), "a \"test\"");
    assert_eq!(parsed("fps"), 12.5);
    assert_eq!(parsed("units")["speed"], "m/s");
    assert_eq!(parsed("groups")[0], "guests, late");
    assert_eq!(parsed("geometry")[0]["from_frame"], 5);
    assert_eq!(parsed("geometry")[1], serde_json::json!({ "from_frame": 15, "wkt": LESS }));
}

#[test]
fn columns_can_be_read_at_every_moment() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("a.parquet"), folder.path().join("copy.parquet"));
    let mut recording = Recording::begin(&path, &info()).unwrap();
    assert_eq!(rows_of_parquet(&path).len(), 0);
    let mut last = 0;
    for number in 0..60 {
        recording.add(&Frame { number, time: 0.0, people: &people(number, 60_000) }).unwrap();
        let bytes = fs::read(&path).unwrap();
        assert_eq!(bytes.len() % 8, 0, "the last bytes are in one page");
        let rows = count_of_parquet(&path);
        assert!(rows >= last && rows % 60_000 == 0);
        last = rows;
        if number == 40 {
            // As it is for a moment while rows are added: the end leads to the old footer, and what is in between is not yet there.
            let length = u32::from_le_bytes(bytes[bytes.len() - 8..][..4].try_into().unwrap());
            let end = [&(length + 8 + 4000).to_le_bytes()[..], b"PAR1"].concat();
            fs::write(&copy, [&bytes[..], &[0; 4000], &end].concat()).unwrap();
            assert_eq!(count_of_parquet(&copy), rows);
        }
    }
    assert!(last > 2_000_000, "groups are written while frames come");
    recording.finish().unwrap();
    assert_eq!(count_of_parquet(&path), 60 * 60_000);
}

#[test]
fn texts_have_units_and_every_row() {
    let folder = tempfile::tempdir().unwrap();
    let [archive, table] = ["a.txt", "a.CSV"].map(|name| folder.path().join(name));
    record(&archive);
    record(&table);
    let archive = fs::read_to_string(archive).unwrap();
    let lines: Vec<&str> = archive.lines().collect();
    assert_eq!(lines[..3], ["# framerate: 12.5 fps", "# scene: a \"test\"", "# id frame x/m y/m z/m"]);
    assert_eq!((lines.len(), lines[3]), (83, "1 5 0.5 2.5 0"));
    let table = fs::read_to_string(table).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "frame,time_s,id,x_m,y_m,heading_rad,speed_m_per_s,group,goal");
    assert_eq!((lines.len(), lines[1]), (81, "5,0.400,1,0.5,2.5,1.5708,1.2500,\"guests, late\","));
    assert!(lines[2].ends_with(",staff,exit"), "{}", lines[2]);
}

#[test]
fn other_endings_and_missing_folders_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let message = Recording::begin(&folder.path().join("a.xml"), &info()).unwrap_err().to_string();
    assert!(message.contains("a.xml") && message.contains(".parquet"), "{message}");
    for ending in RECORDING_ENDINGS {
        let path = folder.path().join("none").join("a").with_extension(ending);
        let message = Recording::begin(&path, &info()).unwrap_err().to_string();
        assert!(message.starts_with(&format!("cannot write {}", path.display())), "{message}");
    }
}

fn rect(west: f64, south: f64, east: f64, north: f64) -> Outline {
    Outline::Area(vec![[west, south], [east, south], [east, north], [west, north]])
}

#[test]
fn walls_are_holes_of_the_walkable_area() {
    assert_eq!(walkable_wkt([10.0, 5.0], &[], &[]), "POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0))");
    let walls = [rect(2.0, 2.0, 3.0, 3.0), rect(2.5, 2.0, 4.0, 2.5), rect(9.5, -1.0, 11.0, 6.0)];
    let text = walkable_wkt([10.0, 5.0], &walls, &[]);
    assert!(text.starts_with("POLYGON ((") && text.matches('(').count() == 3, "{text}");
    assert!(text.contains("9.5 5") && !text.contains("10 5"), "{text}");
    assert!(!text.contains("2.5 2,") && !text.contains("3 2,"), "walls that overlap are one hole: {text}");
    assert_eq!(walkable_wkt([10.0, 5.0], &[rect(-1.0, -1.0, 11.0, 6.0)], &[]), "POLYGON EMPTY");
}

#[test]
fn parts_where_nobody_is_are_left_out() {
    let wall = [rect(4.0, -1.0, 5.0, 6.0)];
    let west = "POLYGON ((0 0, 4 0, 4 5, 0 5, 0 0))";
    assert_eq!(walkable_wkt([10.0, 5.0], &wall, &[[1.0, 1.0], [4.5, 1.0]]), west);
    let both = walkable_wkt([10.0, 5.0], &wall, &[[1.0, 1.0], [9.0, 1.0]]);
    assert!(both.starts_with("MULTIPOLYGON (((") && both.contains("5 0") && both.contains("0 5"), "{both}");
    assert_eq!(walkable_wkt([10.0, 5.0], &wall, &[]), both, "nobody at all: everything stays");
    let thin = [Outline::Line(vec![[5.0, -1.0], [5.0, 6.0]])];
    assert_eq!(walkable_wkt([10.0, 5.0], &thin, &[[1.0, 1.0]]), "POLYGON ((0 0, 4.99 0, 4.99 5, 0 5, 0 0))");
    // In the hole of a ring there is another part.
    let ring = [rect(1.0, 1.0, 2.0, 4.0), rect(4.0, 1.0, 5.0, 4.0), rect(1.0, 1.0, 5.0, 2.0), rect(1.0, 3.0, 5.0, 4.0)];
    let yard = "POLYGON ((2 2, 4 2, 4 3, 2 3, 2 2))";
    assert_eq!(walkable_wkt([10.0, 5.0], &ring, &[[3.0, 2.5]]), yard);
    assert!(walkable_wkt([10.0, 5.0], &ring, &[[9.0, 2.5]]).starts_with("POLYGON ((0 0, 10 0"), "and one around it");
}
