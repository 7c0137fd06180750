"""Quasi-static probabilities of a dozen parts, six of them not convex: `impulse poses` beside trimesh.

    pip install "trimesh>=5" scipy networkx
    python peers/poses/trimesh_poses.py target/release/impulse

Both see the same OBJ files. Poses are matched by the direction that points down; trimesh adds up normals that agree to three
decimals, so every pose of ours is added to the nearest of its poses. Fails where a probability differs by more than 1e-6.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import trimesh
from trimesh import creation


def extruded(outline, height):
    """A prism over a simple polygon (star-shaped about its mean), triangulated as a fan from an inner point."""
    outline = np.asarray(outline, float)
    n = len(outline)
    centre = outline.mean(axis=0)
    rings = [np.column_stack([outline, np.full(n, z)]) for z in (0.0, height)]
    vertices = np.vstack(rings + [[[*centre, 0.0], [*centre, height]]])
    faces = []
    for i in range(n):
        j = (i + 1) % n
        faces += [[j, i, 2 * n], [n + i, n + j, 2 * n + 1], [i, j, n + j], [i, n + j, n + i]]
    return trimesh.Trimesh(vertices, faces)


def parts():
    random = np.random.default_rng(1)
    yield "cube", creation.box([0.02, 0.02, 0.02])
    yield "box", creation.box([0.1, 0.08, 0.06])
    yield "wedge", trimesh.convex.convex_hull(np.array([[0, 0, 0], [5, 0, 0], [0, 3, 0], [5, 3, 0], [0, 0, 2], [0, 3, 2]]) * 0.01)
    yield "hexagon", creation.cylinder(radius=0.01, height=0.017, sections=6)
    yield "blob", trimesh.convex.convex_hull(random.normal(size=(30, 3)) * [0.01, 0.02, 0.03])
    yield "tetrahedron", trimesh.convex.convex_hull(random.normal(size=(4, 3)) * 0.02)
    # Not convex.
    yield "bracket", extruded(np.array([[0, 0], [6, 0], [6, 1], [1.5, 1.2], [1, 4], [0, 4]]) * 0.01, 0.03)
    yield "star", extruded([[r * np.cos(a), r * np.sin(a)] for r, a in zip([0.03, 0.012] * 5, np.arange(10) * np.pi / 5)], 0.01)
    yield "arrow", extruded(np.array([[0, 0], [4, 1], [0, 2], [1.2, 1]]) * 0.01, 0.015)
    yield "torus", creation.torus(major_radius=0.03, minor_radius=0.01, major_sections=7, minor_sections=5)
    yield "tube", creation.annulus(r_min=0.008, r_max=0.012, height=0.02, sections=9)
    profile = np.array([[0, 0], [2, 0], [2.2, 3], [1.8, 3], [1.6, 0.4], [0, 0.4]]) * 0.01
    yield "cap", creation.revolve(profile, sections=11)


def ours(impulse, file):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [impulse, "poses", file, "--method", "quasi-static", "--merge", "0", "--quiet", "--json", out.name]
        subprocess.run(command, check=True)
        return json.load(open(out.name))["poses"]


def main():
    impulse, worst, convex = sys.argv[1], 0.0, 0
    for name, mesh in parts():
        with tempfile.TemporaryDirectory() as folder:
            file = str(Path(folder) / f"{name}.obj")
            mesh.export(file, digits=17)
            mesh = trimesh.load(file, force="mesh")
            assert mesh.is_watertight, name
            transforms, theirs = trimesh.poses.compute_stable_poses(mesh, sigma=0)
            down = -transforms[:, 2, :3]
            sums = np.zeros(len(theirs))
            poses = ours(impulse, file)
            for pose in poses:
                nearest = int(np.argmax(down @ np.array(pose["down"])))
                sums[nearest] += pose["probability"]
            error = np.abs(sums - theirs).max()
            convex += mesh.is_convex
            worst = max(worst, error)
            print(f"{name:12} convex {bool(mesh.is_convex)!s:5} {len(theirs):3} poses of theirs {len(poses):3} of ours  largest difference {error:.1e}")
    print(f"largest difference {worst:.1e}; {convex} of 12 convex")
    sys.exit(worst > 1e-6)


if __name__ == "__main__":
    main()
