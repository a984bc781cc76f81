#!/usr/bin/env python3
"""Throng's social forces against JuPedSim's social force model, in one run on one machine, on one core.

    pip install "jupedsim==1.4.*" numpy
    cargo build --release
    python3 benches/social_force_vs_jupedsim.py [PEOPLE ...] > benches/results/social-force-vs-jupedsim.csv

The same scene for both: so many people (1,000 to 64,000) at one a square metre on an open square, all of one size and speed, each on the straight way to a
point of its own; steps of 0.05 s. The two take turns, the best of three counts. Prints CSV: agent-steps a second of each, and their ratio.
"""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import jupedsim
import numpy

THRONG = pathlib.Path(__file__).parent.parent / "target" / "release" / "throng"
RADIUS, SPEED, DT, EDGE = 0.2, 1.0, 0.05, 1.0


def places(people, seed):
    """Starts on a jittered lattice, so that no two bodies overlap (JuPedSim refuses those), and a point for each."""
    random = numpy.random.default_rng(seed)
    side = math.ceil(math.sqrt(people))
    lattice = numpy.stack(numpy.meshgrid(numpy.arange(side), numpy.arange(side)), -1).reshape(-1, 2)[:people]
    starts = lattice + 0.5 + EDGE + random.uniform(-0.25, 0.25, (people, 2))
    points = random.uniform(EDGE + 0.5, side + EDGE - 0.5, (people, 2))
    return side + 2 * EDGE, starts, points


def throng_rate(people, steps, side, points):
    """Agent-steps a second of Throng, single thread."""
    listed = ", ".join(f"[{x:.3f}, {y:.3f}]" for x, y in points)
    cells = math.ceil(side / 0.5) * 0.5
    scene = f"""
name = "open square"
cell = 0.5
dt = {DT}
size = [{cells}, {cells}]
[model]
plan = "static"
steer = "social-force"
[[agents]]
count = {people}
start = {{ rect = [{EDGE}, {EDGE}, {side - EDGE}, {side - EDGE}] }}
radius = {RADIUS}
speed = {SPEED}
journey = [{{ to = [{listed}], wait = 1000 }}]
"""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "square.toml"
        path.write_text(scene)
        out = subprocess.run([THRONG, "run", path, "--engine", "cpu", "--threads", "1", "--steps", str(steps), "--json"],
                             check=True, capture_output=True)
    return json.loads(out.stdout)["agent_steps_per_second"]


def jupedsim_rate(people, steps, side, starts, points):
    """Agent-steps a second of JuPedSim, which has one thread."""
    simulation = jupedsim.Simulation(model=jupedsim.SocialForceModel(), dt=DT,
                                     geometry=[(0, 0), (side, 0), (side, side), (0, side)])
    stage = simulation.add_direct_steering_stage()
    journey = simulation.add_journey(jupedsim.JourneyDescription([stage]))
    ids = [simulation.add_agent(jupedsim.SocialForceModelAgentParameters(
        position=tuple(start), journey_id=journey, stage_id=stage, desired_speed=SPEED, radius=RADIUS)) for start in starts]
    for number, point in zip(ids, points):
        simulation.agent(number).target = tuple(point)
    began = time.perf_counter()
    simulation.iterate(steps)
    return people * steps / (time.perf_counter() - began)


sizes = [int(a) for a in sys.argv[1:]] or [1000, 4000, 16000, 64000]
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
print(f"people,steps,throng_agent_steps_per_s,jupedsim_{jupedsim.__version__}_agent_steps_per_s,ratio")
for people in sizes:
    steps = max(20, min(200, 4_000_000 // people))
    side, starts, points = places(people, 1)
    ours = theirs = 0.0
    for _ in range(3):
        ours = max(ours, throng_rate(people, steps, side, points))
        theirs = max(theirs, jupedsim_rate(people, max(5, steps // 10), side, starts, points))
    print(f"{people},{steps},{ours:.0f},{theirs:.0f},{ours / theirs:.1f}", flush=True)
