"""Opens recordings of runs with the programs that they are written for. Called by .ci/readers with the program's path."""

import json
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import jupedsim
import pandas
import pedpy
import pyarrow.parquet
import shapely

THRONG = str(pathlib.Path(sys.argv[1]).resolve())
ENDINGS = ["sqlite", "parquet", "txt", "csv"]

# Two rooms with a door that closes and opens again, a thin wall, a pillar, a polygon that crosses itself, painted ground beyond.
DOOR = """
size = [20, 10]
cell = 0.25

[map]
walls = [
  { rect = [10, 0, 10.25, 4] }, { rect = [10, 6, 10.25, 10] },
  { rect = [10, 4, 10.25, 6], name = "door", open = true },
  { line = [[2, 2], [4, 2], [4, 4]] },
  { circle = [15, 5, 1.0] },
  { polygon = [[12, 8], [14, 9.5], [14, 8], [12, 9.5]] },
]

[[goal]]
name = "exit, east"
rect = [19, 4, 20, 6]

[[agents]]
name = "guests"
count = 60
start = { rect = [5, 1, 9, 9] }

[[event]]
at = 3
close = "door"

[[event]]
at = 5
open = "door"
"""


def run(scene, *options):
    words = [THRONG, "run", str(scene), "--engine", "cpu", "--json", *map(str, options)]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stderr)
    return json.loads(done.stdout)


def rows(file):
    """A recording as a table of frame, id, x, y, by the reader that belongs to it."""
    if file.suffix == ".sqlite":
        data = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=file)
    elif file.suffix == ".txt":
        data = pedpy.load_trajectory_from_txt(trajectory_file=file)
    elif file.suffix == ".parquet":
        table = pandas.read_parquet(file)
        return table[["frame", "id", "x", "y"]].astype({"frame": "int64", "id": "int64"}).reset_index(drop=True)
    else:
        table = pandas.read_csv(file)
        return table.rename(columns={"x_m": "x", "y_m": "y"})[["frame", "id", "x", "y"]]
    return data.data[["frame", "id", "x", "y"]].sort_values(["frame", "id"]).reset_index(drop=True)


def check_formats(folder, scene, seconds, fps):
    """All formats hold the same, and their readers take them."""
    name = pathlib.Path(scene).stem
    files = {e: folder / f"{name}.{e}" for e in ENDINGS}
    summaries = {e: run(scene, "--seconds", seconds, "--fps", fps, "--record", f) for e, f in files.items()}
    assert len({s["state_hash"] for s in summaries.values()}) == 1
    frames = seconds * fps + 1
    assert all(s["recorded"]["frames"] == frames for s in summaries.values())
    tables = {e: rows(f) for e, f in files.items()}
    for ending, table in tables.items():
        assert len(table) > 0, (name, ending)
        # Texts are as short as tells 32 bits apart.
        pandas.testing.assert_frame_equal(table, tables["sqlite"], check_dtype=False, rtol=1e-7, atol=0)

    recording = jupedsim.Recording(str(files["sqlite"]))
    assert recording.num_frames == frames and recording.fps == fps, (recording.num_frames, recording.fps)
    last = recording.frame(frames - 1)
    assert len(last.agents) == summaries["sqlite"]["active"]
    assert all(abs(a.orientation[0] ** 2 + a.orientation[1] ** 2 - 1) < 1e-3 for a in last.agents)
    area = recording.geometry()
    assert area.is_valid and area.geom_type == "Polygon", area.geom_type
    bounds = recording.bounds()
    assert area.bounds[0] >= bounds.xmin and area.bounds[3] <= bounds.ymax

    trajectory = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=files["sqlite"])
    walkable = pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=files["sqlite"])
    assert trajectory.frame_rate == fps
    assert pedpy.is_trajectory_valid(traj_data=trajectory, walkable_area=walkable), name
    assert pedpy.load_trajectory_from_txt(trajectory_file=files["txt"]).frame_rate == fps
    pedpy.compute_individual_speed(traj_data=trajectory, frame_step=2)

    about = pyarrow.parquet.read_schema(files["parquet"]).metadata
    assert json.loads(about[b"units"])["x"] == "m" and float(about[b"fps"]) == fps
    geometry = json.loads(about[b"geometry"])
    assert shapely.from_wkt(geometry[0]["wkt"]).is_valid
    return recording, geometry


def check_door(folder):
    """A door that closes is another walkable area from that frame on."""
    scene = folder / "door.toml"
    scene.write_text(DOOR)
    recording, geometry = check_formats(folder, scene, 8, 5)
    areas = [recording.geometry_id_for_frame(f) for f in range(41)]
    assert len(set(areas)) == 2 and areas[0] == areas[-1] != areas[20]
    # An event of 3 s happens in the step that begins then: the frame of that moment is before it.
    assert areas.index(areas[20]) == 16 and [g["from_frame"] for g in geometry] == [0, 16, 26]
    closed = shapely.from_wkt(geometry[1]["wkt"])
    assert closed.is_valid and closed.area < shapely.from_wkt(geometry[0]["wkt"]).area


def check_resume(folder):
    """A run that goes on goes on with the numbers of frames."""
    state = folder / "state.throng"
    whole, first, rest = (folder / f"{n}.parquet" for n in ["whole", "first", "rest"])
    run("crossing", "--steps", 100, "--record", whole, "--every", 4)
    run("crossing", "--steps", 60, "--record", first, "--every", 4, "--save", state)
    run("crossing", "--steps", 40, "--record", rest, "--every", 4, "--resume", state)
    both = pandas.concat([rows(first), rows(rest)], ignore_index=True)
    pandas.testing.assert_frame_equal(both, rows(whole))


def check_ends(folder, ending):
    """Ctrl-C finishes a file; a kill at any moment leaves one that opens."""
    for times, end in [(1, signal.SIGINT), (4, signal.SIGKILL)]:
        for number in range(times):
            file = folder / f"{end.name}-{number}.{ending}"
            words = [THRONG, "run", "circle", "--agents", "8000", "--engine", "cpu", "--seconds", "100000", "--quiet"]
            process = subprocess.Popen([*words, "--record", file])
            begun = time.time()
            while not file.exists() or file.stat().st_size < 1_000_000:
                assert process.poll() is None and time.time() - begun < 120, "it does not record"
                time.sleep(0.02)
            time.sleep(0.37 * number)
            process.send_signal(end)
            assert process.wait() == (1 if end == signal.SIGINT else -signal.SIGKILL)
            table = rows(file)
            counts = table.groupby("frame").size()
            assert len(table) > 0 and list(counts.index) == list(range(len(counts))), (ending, end.name)
            # Who writes line by line may have begun a frame; nobody else has.
            whole = counts if ending in ["sqlite", "parquet"] or end == signal.SIGINT else counts[:-1]
            assert (whole == 8000).all(), (ending, end.name, counts.tail())
            if ending == "sqlite":
                recording = jupedsim.Recording(str(file))
                assert recording.num_frames == len(counts)
                recording.geometry()
    print(f"  {ending}: {len(counts)} frames after the last kill")


def check_parquet_between(folder):
    """The state that a Parquet file has for a moment, while rows are added behind its old footer."""
    file, between = folder / "crossing.parquet", folder / "between.parquet"
    bytes_ = file.read_bytes()
    length = struct.unpack("<I", bytes_[-8:-4])[0]
    for hole in [0, 8, 100_000]:
        end = struct.pack("<I", length + 8 + hole) + b"PAR1"
        between.write_bytes(bytes_ + bytes(hole) + end)
        pandas.testing.assert_frame_equal(rows(between), rows(file))


def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        for scene, seconds, fps in [("bottleneck", 10, 5), ("crossing", 20, 5), ("office", 2, 5), ("hills", 2, 5)]:
            check_formats(folder, scene, seconds, fps)
            print(f"  {scene}: all formats are read, and hold the same")
        check_door(folder)
        check_resume(folder)
        check_parquet_between(folder)
        for ending in ENDINGS:
            check_ends(folder, ending)
    finally:
        shutil.rmtree(folder)
    print("recordings: read by jupedsim, pedpy, pandas and pyarrow")


main()
