"""scene: the one scene that every program runs, and where its tip should be. Standard library only.

CANT-Gamma: a straight round rod clamped horizontally that bends under its weight; Gamma = (weight per length) L^3 / EI.
It has 32 vertices. Vertices 0 and 1 and the first frame are held; the clamp's plane is at the middle of the first
edge, which makes the discrete rod of second order in the edge's length.
x is along the rod, z up; SI units.
"""
import math

GAMMA = 10.0
LENGTH = 1.0  # from the clamp's plane
RADIUS = 0.01
DENSITY = 1000.0
GRAVITY = 9.81
VERTICES = 32
EDGES = VERTICES - 1
EDGE = LENGTH / (EDGES - 0.5)
YOUNG = 4 * DENSITY * GRAVITY * LENGTH**3 / (GAMMA * RADIUS**2)
SHEAR = YOUNG / 3
AREA = math.pi * RADIUS**2
BEND = YOUNG * math.pi * RADIUS**4 / 4  # EI
TWIST = SHEAR * math.pi * RADIUS**4 / 2  # GJ
EDGE_MASS = DENSITY * AREA * EDGE

# SWING: released from horizontal without any damping. The tip at SWING_TIME by the limit of PyElastica for small steps,
# on as many elements; the limits of other programs for small steps are within 0.15 % of L of it.
SWING_TIME = 0.5
SWING_TIP = (0.21872, -0.87207)
SWING_ERROR = 0.01  # share of L that counts as right

SETTLE_TIME = 6.0
SETTLE_RATE = 4.0  # 1/s: drag force per mass and velocity of the damped run


def vertex(i):
    """Place of vertex i at the start."""
    return (i - 0.5) * EDGE


def settled_tip(gamma=GAMMA, pieces=400):
    """Tip (x, z) at rest of the smooth rod: theta'' = -Gamma (1 - s) cos theta, theta(0) = 0, theta'(1) = 0, by
    shooting for theta'(0) with Runge-Kutta steps and bisection. theta is the angle below the horizontal."""
    def shoot(slope):
        ds, s, state = 1.0 / pieces, 0.0, [0.0, slope, 0.0, 0.0]

        def rate(s, state):
            return [state[1], -gamma * (1 - s) * math.cos(state[0]), math.cos(state[0]), -math.sin(state[0])]

        for _ in range(pieces):
            a = rate(s, state)
            b = rate(s + ds / 2, [y + ds / 2 * k for y, k in zip(state, a)])
            c = rate(s + ds / 2, [y + ds / 2 * k for y, k in zip(state, b)])
            d = rate(s + ds, [y + ds * k for y, k in zip(state, c)])
            state = [y + ds / 6 * (p + 2 * q + 2 * r + t) for y, p, q, r, t in zip(state, a, b, c, d)]
            s += ds
        return state

    low, high = 0.0, gamma
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if shoot(middle)[1] < 0 else (low, middle)
    return tuple(shoot(low)[2:])


def distance(tip, goal):
    """Distance of two tips in shares of L; infinite for a tip that is no number."""
    gap = math.dist(tip, goal) / LENGTH
    return gap if math.isfinite(gap) else math.inf
