#!/usr/bin/env python3
"""Throng's potential solver against scikit-fmm, in one run on one machine.

    pip install scikit-fmm numpy
    cargo build --release
    python3 benches/solver_vs_skfmm.py [SIDE]

Both solve the same problem: SIDE² cells (1024), one goal cell in the middle, cost graded from 1 to 4, first order, one
thread. The two take turns, the best of five counts. Prints the ratio and how far the two results are apart.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy
import skfmm

side = sys.argv[1] if len(sys.argv) > 1 else "1024"
throng = pathlib.Path(__file__).parent.parent / "target" / "release" / "throng"


def throng_ms(folder):
    """Milliseconds of Throng's solver (best of three inside one call), single thread by construction."""
    out = subprocess.run([throng, "bench", "--engine", "cpu", "--solver", side, "--batches", "3", "--json", "--dump", folder],
                         check=True, capture_output=True)
    return json.loads(out.stdout)["ms"]


with tempfile.TemporaryDirectory() as folder:
    throng_ms(folder)
    cost = numpy.load(f"{folder}/cost.npy").astype(float)
    potential = numpy.load(f"{folder}/potential.npy").astype(float)
    n = cost.shape[0]
    phi = numpy.ones_like(cost)
    phi[n // 2, n // 2] = 0
    best_throng = best_skfmm = float("inf")
    for _ in range(5):
        best_throng = min(best_throng, throng_ms(folder))
        start = time.perf_counter()
        # A mask of one cell at distance 0: travel_time starts from where phi is zero.
        times = skfmm.travel_time(phi, 1.0 / cost, order=1)
        best_skfmm = min(best_skfmm, 1e3 * (time.perf_counter() - start))

# scikit-fmm places the front by interpolation around the goal cell; compare away from it, as a share of the value.
far = potential > 20
apart = numpy.abs(times - potential)[far] / potential[far]
print(f"side {n}: throng {best_throng:.1f} ms, scikit-fmm {skfmm.__version__} order 1 {best_skfmm:.1f} ms, "
      f"ratio {best_skfmm / best_throng:.1f}; results differ by at most {100 * apart.max():.2f} % ({100 * apart.mean():.3f} % on average)")
