"""Car that drives over a bump.

A half-car in its plane: a body on two springs with shock absorbers, two wheels, and tyres that may leave the road. The
car keeps its place, and the road moves up and down below its axles as if it drove at 15 m/s over a bump of 10 cm, which
the rear axle meets 1/6 s after the front axle. The drawn position is that of rest: the struts carry the weight of the
body, and the tyres are compressed by 4 cm.

The reference value is the lower natural frequency of the body on its springs, with the wheels held, in rad/s
[Rao2011, example 5.7].
"""

import flexura as fx
from flexura.planar import Body, Mass, PointContact, Spring

SOURCE = 5.8593
FRONT, REAR, SPEED, HEIGHT, LENGTH = 1.0, 1.5, 15.0, 0.1, 1.5
WEIGHT, WHEEL = 1000.0 * 9.81, 40.0


def road(distance: float) -> str:
    """Height of the road below an axle that is so far before the bump."""
    return f"{HEIGHT}*sin(pi*max(0, min(1, ({SPEED}*t - {distance})/{LENGTH})))^2"


def tyre(load: float) -> fx.KelvinVoigt:
    """Tyre that a load compresses by 4 cm."""
    return fx.KelvinVoigt(k=round((load + WHEEL * 9.81) / 0.04, 3), c=300.0)


on_front, on_rear = WEIGHT * REAR / (FRONT + REAR), WEIGHT * FRONT / (FRONT + REAR)
model = fx.Model(
    title="Half-car",
    nodes={
        "C": (0, 0.6),
        "front_top": (FRONT, 0.7),
        "rear_top": (-REAR, 0.7),
        "front": (FRONT, 0.3),
        "rear": (-REAR, 0.3),
        "front_road": (FRONT, 0),
        "rear_road": (-REAR, 0),
    },
    elements={
        "body": Body("C", 1000.0, inertia=810.0, points=("front_top", "rear_top")),
        "front_strut": Spring("front", "front_top", k=18e3, c=1500.0, preload=-on_front),
        "rear_strut": Spring("rear", "rear_top", k=22e3, c=1500.0, preload=-on_rear),
        "front_wheel": Mass("front", WHEEL),
        "rear_wheel": Mass("rear", WHEEL),
        "front_tyre": PointContact("front_road", "front", tyre(on_front), radius=0.34),
        "rear_tyre": PointContact("rear_road", "rear", tyre(on_rear), radius=0.34),
    },
    fixed=["C.x", "front.x", "rear.x", "front_road.x", "rear_road.x"],
    inputs={"front_road.y": road(3.0), "rear_road.y": road(3.0 + FRONT + REAR)},
    gravity=(0, -9.81),
)


def compute() -> tuple[fx.Motion, float]:
    """The drive over the bump, and the lower natural frequency of the body without weight and shock absorbers."""
    body = model.replace(fixed=["C.x", "front", "rear", "front_road", "rear_road"], inputs={}, gravity=(0, 0))
    for strut in ("front_strut", "rear_strut"):
        for name in ("c", "preload"):
            body = body.with_parameter(f"elements.{strut}.{name}", 0.0)
    return fx.simulate(model, until=2.0, samples=1001), float(fx.linearise(body).frequencies[0])


if __name__ == "__main__":
    motion, frequency = compute()
    print(f"natural frequency of the body: {frequency:.4f} rad/s (source {SOURCE})")
    print(f"largest load of the front tyre: {motion.force('front_tyre.gap').max():.0f} N")
    share = (motion.force("front_tyre.gap") == 0.0).mean()
    print(f"the front tyre is off the road for {1e3 * share * motion.t[-1]:.0f} ms")
    motion.plot("C.y", "body.p.phi", "front_tyre.gap.force", "rear_tyre.gap.force", path="half_car.png")
    motion.animate("half_car.gif", trace=["front_top", "rear_top"])
