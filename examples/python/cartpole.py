"""A cart with a pole as an environment in the manner of Gymnasium, and a controller that balances it.

    python examples/python/cartpole.py

The environment needs nothing but mbfmu and numpy; with Gymnasium installed it is one of its environments.
"""

import mbfmu
import numpy as np

try:
    import gymnasium
    from gymnasium import spaces

    Base = gymnasium.Env
except ImportError:
    spaces, Base = None, object

OBSERVED = ["slider.s", "slider.v", "pivot.phi", "pivot.w"]
#: Where an episode ends [m], [rad].
END_OF_TRACK, FALLEN = 2.4, 0.21


def model():
    """A cart on a track with a pole that stands on it."""
    m = mbfmu.Model("CartPole", gravity=[0, 0, -9.81])
    m.parameters.add("phi0", 0.0, unit="rad", description="Angle of the pole at the start, 0 when it stands")
    m.inputs.add("push", unit="N")
    cart = m.objects.add("cart", solid=mbfmu.solid.box(lengths=[0.5, 0.3, 0.2], mass=1.0, color="steelblue"))
    pole = m.objects.add("pole", solid=mbfmu.solid.box(lengths=[0.05, 0.05, 1.0], r=[0, 0, 0.5], mass=0.1, color="gold"))
    m.joints.prismatic("slider", from_="world", to=cart, axis="x", force="push")
    m.joints.revolute("pivot", from_=cart, to=pole, axis="y", phi="phi0")
    m.outputs = ["slider", "pivot"]
    return m


class CartPole(Base):
    """Observation: position, speed, angle, angular velocity. Action: push to the left (0) or to the right (1)."""

    metadata = {"render_modes": []}

    def __init__(self, force=10.0, step=0.02, longest=500):
        self.force, self.step_size, self.longest = force, step, longest
        self.session = model().session(step=step)
        if spaces:
            self.action_space = spaces.Discrete(2)
            self.observation_space = spaces.Box(-np.inf, np.inf, (len(OBSERVED),), np.float64)
        else:
            self.np_random = None

    def reset(self, *, seed=None, options=None):
        if spaces:
            super().reset(seed=seed)
        elif seed is not None or self.np_random is None:
            self.np_random = np.random.default_rng(seed)
        self.session.reset({"phi0": self.np_random.uniform(-0.05, 0.05)})
        self.steps = 0
        return self.observation(), {}

    def step(self, action):
        self.session["push"] = self.force if action == 1 else -self.force
        self.session.step()
        self.steps += 1
        observation = self.observation()
        terminated = bool(abs(observation[0]) > END_OF_TRACK or abs(observation[2]) > FALLEN)
        return observation, 1.0, terminated, self.steps >= self.longest, {}

    def observation(self):
        return np.array(self.session.get(OBSERVED))


def main():
    environment = CartPole()
    (s, v, phi, w), _ = environment.reset(seed=1)
    total, ended = 0.0, False
    while not ended:
        # A state feedback that was found by hand.
        action = 1 if 40.0 * phi + 8.0 * w + 1.0 * s + 2.0 * v > 0 else 0
        (s, v, phi, w), reward, terminated, truncated, _ = environment.step(action)
        total, ended = total + reward, terminated or truncated
    print(f"balanced for {total:.0f} steps of {environment.step_size} s")


if __name__ == "__main__":
    main()
