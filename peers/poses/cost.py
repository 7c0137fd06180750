"""CPU time of a drop: `impulse poses` beside PyBullet and MuJoCo, one after the other in one run.

    pip install pybullet mujoco
    python peers/poses/cost.py target/release/impulse

A box of 10 x 8 x 6 cm falls 0.3 m (lowest corner) in a random attitude, friction and restitution 0.3. The peers run until the box
rests (speed below 1 mm/s, turning below 0.01 rad/s, for 0.1 s) or until our rule decides: energy below the lowest pass out of the
face it lies on, checked every 10 steps. MuJoCo has no coefficient of restitution: its contacts are the default ones, which hardly
bounce, so its drops are shorter. "Accurate" is a step of 0.05 ms (MuJoCo) and 0.1 ms (PyBullet); the last lines tell on how many drops
the face in the end changes when the step is halved once more.
"""

import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

SIZE, G = np.array([0.1, 0.08, 0.06]), 9.81
HALF, MASS = SIZE / 2, 0.48
INERTIA = MASS / 12 * (np.sum(SIZE**2) - SIZE**2)
DROPS = 60


def starts(count):
    random = np.random.default_rng(1)
    for _ in range(count):
        q = random.normal(size=4)
        q /= np.linalg.norm(q)
        yield q, 0.3 + np.abs(matrix(q)[2]) @ HALF


def matrix(q):
    w, x, y, z = q
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


def face(q):
    """Number of the face that is down."""
    row = matrix(q)[2]
    axis = int(np.argmax(np.abs(row)))
    return 2 * axis + (row[axis] > 0)


# Lowest pass out of each pair of faces: over the shorter edge beside it.
PASS = [min(np.hypot(HALF[i], HALF[j]) for j in range(3) if j != i) for i in range(3)]


def decided(q, z, v, w):
    """Our rule; angular velocity w in the body frame."""
    row = np.abs(matrix(q)[2])
    height = z + (0.5 * v @ v + 0.5 * (w * w) @ INERTIA / MASS) / G
    # The valley that the attitude is in: the face that is most nearly down, by distance to the passes.
    axis = int(np.argmax(row))
    return height < PASS[axis]


class Rest:
    """Whether a body has been slow for 0.1 s."""

    def __init__(self, step):
        self.needed, self.slow = max(1, round(0.1 / (10 * step))), 0

    def reached(self, v, w):
        self.slow = self.slow + 1 if np.linalg.norm(v) < 1e-3 and np.linalg.norm(w) < 1e-2 else 0
        return self.slow >= self.needed


def mujoco_drops(step, rule):
    import mujoco

    size = " ".join(str(h) for h in HALF)
    xml = f"""<mujoco><option timestep="{step}" gravity="0 0 -{G}"/><worldbody>
    <geom type="plane" size="5 5 1" friction="0.3 0.005 0.0001"/>
    <body pos="0 0 1"><freejoint/><geom type="box" size="{size}" mass="{MASS}" friction="0.3 0.005 0.0001"/></body>
    </worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    for q, z in starts(DROPS):
        mujoco.mj_resetData(model, data)
        data.qpos[:] = [0, 0, z, *q]
        rest = Rest(step)
        for _ in range(int(20 / step / 10)):
            mujoco.mj_step(model, data, 10)
            v, w = data.qvel[:3], data.qvel[3:]
            if (decided(data.qpos[3:], data.qpos[2], v, w)) if rule else rest.reached(v, w):
                break
        yield face(data.qpos[3:])


def bullet_drops(step, iterations, rule):
    import pybullet as p

    p.connect(p.DIRECT)
    p.setGravity(0, 0, -G)
    p.setPhysicsEngineParameter(fixedTimeStep=step, numSolverIterations=iterations)
    plane = p.createMultiBody(0, p.createCollisionShape(p.GEOM_PLANE))
    box = p.createMultiBody(MASS, p.createCollisionShape(p.GEOM_BOX, halfExtents=list(HALF)))
    p.changeDynamics(plane, -1, lateralFriction=1.0, restitution=1.0)
    p.changeDynamics(box, -1, lateralFriction=0.3, restitution=0.3, linearDamping=0, angularDamping=0)
    for q, z in starts(DROPS):
        p.resetBasePositionAndOrientation(box, [0, 0, z], [q[1], q[2], q[3], q[0]])
        p.resetBaseVelocity(box, [0, 0, 0], [0, 0, 0])
        rest = Rest(step)
        for _ in range(int(20 / step / 10)):
            for _ in range(10):
                p.stepSimulation()
            v, w = map(np.array, p.getBaseVelocity(box))
            at, (x, y, zq, s) = p.getBasePositionAndOrientation(box)
            now = np.array([s, x, y, zq])
            if decided(now, at[2], v, matrix(now).T @ w) if rule else rest.reached(v, w):
                break
        yield face(now)
    p.disconnect()


def timed(drops):
    before = time.process_time()
    faces = list(drops)
    return (time.process_time() - before) / len(faces) * 1e3, faces


def impulse_cost(impulse, drops):
    with tempfile.NamedTemporaryFile("w", suffix=".rhai") as part:
        part.write('let m = material(#{ friction: 0.3, restitution: 0.3 });\n'
                   'body("box", cuboid(0.1, 0.08, 0.06), #{ at: [0, 0, 1], density: 1000, material: m });\n')
        part.flush()
        used = []
        for count in (1, drops + 1):
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            subprocess.run([impulse, "poses", part.name, "--height", "0.3", "--speed", "0", "--drops", str(count),
                            "--threads", "1", "--quiet"], check=True)
            used.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        return (used[1] - used[0]) / drops * 1e3


def same(a, b):
    return sum(x == y for x, y in zip(a, b)) / len(a)


def main():
    own = impulse_cost(sys.argv[1], 5000)
    print(f"impulse, decided                        {own:8.3f} ms per drop")
    results = {}
    for name, drops in [
        ("mujoco, defaults (2 ms), to rest", lambda: mujoco_drops(0.002, False)),
        ("mujoco, defaults, our rule", lambda: mujoco_drops(0.002, True)),
        ("mujoco, accurate (0.05 ms), to rest", lambda: mujoco_drops(5e-5, False)),
        ("mujoco, accurate, our rule", lambda: mujoco_drops(5e-5, True)),
        ("pybullet, defaults (1/240 s), to rest", lambda: bullet_drops(1 / 240, 50, False)),
        ("pybullet, defaults, our rule", lambda: bullet_drops(1 / 240, 50, True)),
        ("pybullet, accurate (0.1 ms), to rest", lambda: bullet_drops(1e-4, 50, False)),
        ("pybullet, accurate, our rule", lambda: bullet_drops(1e-4, 50, True)),
    ]:
        cost, faces = timed(drops())
        results[name] = faces
        print(f"{name:39} {cost:8.3f} ms per drop, {cost / own:7.1f} times ours", flush=True)
    for peer, accurate, halved in [
        ("mujoco", "accurate (0.05 ms)", mujoco_drops(2.5e-5, False)),
        ("pybullet", "accurate (0.1 ms)", bullet_drops(5e-5, 50, False)),
    ]:
        default = next(f for n, f in results.items() if n.startswith(f"{peer}, defaults ("))
        fine = results[f"{peer}, {accurate}, to rest"]
        print(f"{peer}: same face at defaults and accurate settings {same(default, fine):.0%}, "
              f"at accurate settings and half their step {same(fine, list(halved)):.0%}", flush=True)


if __name__ == "__main__":
    main()
