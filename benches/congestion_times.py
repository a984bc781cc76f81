#!/usr/bin/env python3
"""Figures 4 to 6 of the congestion paper again: the time of a step against people, fitted as the paper does, and people against area.

    cargo build --release
    python3 benches/congestion_times.py [--engines cpu,gpu] [--out benches/results]

Random starts, random points, `steer = "social-force"`, as the scene `congestion`. Writes congestion-people.csv (64 x 64 m, 128 to 8,192 people),
congestion-fits.csv (t = a * n^b, least squares of the logarithms, without 128 and 256 people, as in the paper) and congestion-areas.csv
(1,000 to 8,000 people on 1,024 to 262,144 m2). Milliseconds a step. On the CPU one thread. With matplotlib the figures are drawn beside them.
"""
import argparse
import csv
import json
import math
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).parent.parent
PEOPLE = [128, 256, 512, 1024, 2048, 4096, 8192]
SIDES = [32, 64, 128, 256, 512]
# What the paper has: t(n) = a * n^b, ms.
PAPER = [("paper, CPU", 0.0001, 1.969), ("paper, GPU, 1 thread block a cell", 0.1169, 0.772), ("paper, GPU, 9 thread blocks a cell", 0.0864, 0.716)]


def step_ms(throng, engine, people, side, steps):
    scene = f"""
name = "congestion"
cell = 0.5
dt = 0.05
size = [{side}, {side}]
[model]
plan = "static"
steer = "social-force"
separation_rounds = 0
[model.social-force]
dispersion = 0.3
[[agents]]
count = {people}
start = {{ rect = [0.25, 0.25, {side - 0.25}, {side - 0.25}] }}
place = "random"
radius = 0.2
speed = 0.62
journey = [{{ to = {{ random = {{ rect = [1, 1, {side - 1}, {side - 1}] }} }} }}]
arrive = "next"
goal_distance = 0.5
"""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "congestion.toml"
        path.write_text(scene)
        command = [throng, "run", path, "--engine", engine, "--steps", str(steps), "--json"]
        command += ["--threads", "1"] if engine == "cpu" else []
        best = math.inf
        for _ in range(3):
            out = subprocess.run(command, check=True, capture_output=True)
            best = min(best, 1e3 / json.loads(out.stdout)["steps_per_second"])
    return best


def fit(points):
    """a and b of t = a * n^b, and the coefficient of determination of the logarithms."""
    logs = [(math.log(n), math.log(t)) for n, t in points]
    mx, my = (sum(v[k] for v in logs) / len(logs) for k in (0, 1))
    sxx = sum((x - mx) ** 2 for x, _ in logs)
    sxy = sum((x - mx) * (y - my) for x, y in logs)
    syy = sum((y - my) ** 2 for _, y in logs)
    return math.exp(my - sxy / sxx * mx), sxy / sxx, sxy * sxy / (sxx * syy)


def write(path, header, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def draw(out, times, fits, areas):
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot
    for name, scale in (("congestion-figure-4", "linear"), ("congestion-figure-5", "log")):
        figure, axes = pyplot.subplots(figsize=(7, 4.5))
        for engine in sorted({row[0] for row in times}):
            axes.plot(*zip(*[(n, t) for e, n, t in times if e == engine]), "o", label=engine)
        for label, a, b, *_ in fits:
            axes.plot(PEOPLE, [a * n ** b for n in PEOPLE], "--" if "paper" in label else "-", label=f"{label}: {a:.4g} n^{b:.3f}")
        axes.set(xlabel="people", ylabel="ms a step", xscale=scale, yscale=scale)
        axes.legend(fontsize=7)
        figure.savefig(out / f"{name}.png", dpi=120)
    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    for engine, style in zip(sorted({row[0] for row in areas}), ("o-", "s--")):
        for people in sorted({row[1] for row in areas}):
            points = [(area, float(ms)) for e, n, area, ms in areas if (e, n) == (engine, people)]
            axes.plot(*zip(*points), style, label=f"{engine}, {people} people")
    axes.set(xlabel="area, m²", ylabel="ms a step", xscale="log", yscale="log")
    axes.legend(fontsize=7)
    figure.savefig(out / "congestion-figure-6.png", dpi=120)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--engines", default="cpu,gpu")
    options.add_argument("--out", type=pathlib.Path, default=ROOT / "benches" / "results")
    options.add_argument("--throng", type=pathlib.Path, default=ROOT / "target" / "release" / "throng")
    options.add_argument("--steps", type=int, default=400)
    args = options.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    engines = args.engines.split(",")
    times = [(engine, n, step_ms(args.throng, engine, n, 64, args.steps)) for engine in engines for n in PEOPLE]
    write(args.out / "congestion-people.csv", ["engine", "people", "ms"], [(e, n, f"{t:.5f}") for e, n, t in times])
    ours = [(f"Throng, {engine}", *fit([(n, t) for e, n, t in times if e == engine and n > 256])) for engine in engines]
    fits = ours + [(label, a, b, "") for label, a, b in PAPER]
    write(args.out / "congestion-fits.csv", ["what", "a", "b", "r2"],
          [(w, f"{a:.6g}", f"{b:.3f}", r and f"{r:.4f}") for w, a, b, r in fits])
    areas = [(engine, n, side * side, f"{step_ms(args.throng, engine, n, side, args.steps // 2):.5f}")
             for engine in engines for side in SIDES for n in (1000, 2000, 4000, 8000) if n <= 2 * side * side]
    write(args.out / "congestion-areas.csv", ["engine", "people", "area_m2", "ms"], areas)
    draw(args.out, times, fits, areas)


main()
