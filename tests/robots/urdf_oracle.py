"""Pinocchio and MuJoCo on a URDF, by the rules of docs/import.md, without a line of the importer."""

import math
import re
import xml.etree.ElementTree as ET

import numpy as np

V_REG = 0.01  # velocity scale of dry friction
SINGLE = {"revolute", "continuous", "prismatic"}


def parse(path):
    return ET.parse(path).getroot()


def _inertia(element):
    get = lambda key: float(element.get(key, 0))
    xx, yy, zz, xy, xz, yz = (get(key) for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _possible(matrix):
    """The inertia as it is, or the nearest one that a body can have."""
    moments, axes = np.linalg.eigh(matrix)
    tolerance = 1e-4 * abs(moments[2])
    if moments[0] >= -tolerance and moments[2] >= 0 and moments[0] + moments[1] >= moments[2] - tolerance:
        return matrix
    moments = np.maximum(moments, 0)
    missing = moments[2] - moments[0] - moments[1]
    if missing > 0:
        moments = moments + np.array([missing / 2, missing / 2, 0])
    return axes @ np.diag(moments) @ axes.T


class Robot:
    """A URDF, reduced to what moves: shapes removed, masses as documented, idle joints fixed."""

    def __init__(self, path):
        root = parse(path)
        for child in list(root):
            if child.tag not in ("link", "joint"):
                root.remove(child)
        masses = {}
        for link in root.findall("link"):
            for child in list(link):
                if child.tag != "inertial":
                    link.remove(child)
            masses[link.get("name")] = self._mass(link)
        self.joints = {}
        children = {}
        for joint in root.findall("joint"):
            children.setdefault(joint.find("parent").get("link"), []).append(joint.find("child").get("link"))

        def carried(link):
            return masses[link] + sum(carried(child) for child in children.get(link, []))

        resting = set()
        for joint in root.findall("joint"):
            idle = carried(joint.find("child").get("link")) == 0
            if joint.get("type") == "fixed" or idle:
                self._fix(joint, self._start(joint) if idle else 0.0)
                resting.add(joint.get("name"))
            else:
                self.joints[joint.get("name")] = self._joint(joint)
        known = {joint.get("name") for joint in root.findall("joint")}
        for joint in self.joints.values():
            if joint["mimic"] and joint["mimic"][0] not in known:
                joint["mimic"] = None
        for name in list(self.joints):
            # What follows a joint that rests does so too; no robot of the package has that with an offset.
            mimic = self.joints[name]["mimic"]
            assert not (mimic and mimic[0] in resting), f"{name} follows a joint that rests"
        for joint in root.findall("joint"):
            for tag in ("mimic", "limit", "dynamics", "safety_controller", "calibration"):
                for child in joint.findall(tag):
                    joint.remove(child)
            if joint.get("type") in ("revolute", "prismatic"):
                ET.SubElement(joint, "limit", lower="-1e9", upper="1e9", effort="1e9", velocity="1e9")
        self.links = len(masses)
        self.total_joints = len(root.findall("joint"))
        self.root = root

    @staticmethod
    def _mass(link):
        inertial = link.find("inertial")
        if inertial is None:
            return 0.0
        mass = float(inertial.find("mass").get("value"))
        inertia = inertial.find("inertia")
        if mass == 0:
            link.remove(inertial)
            return 0.0
        if inertia is not None:
            original = _inertia(inertia)
            matrix = _possible(original)
            if matrix is not original:
                for key, value in zip(
                    ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"),
                    (matrix[0, 0], matrix[1, 1], matrix[2, 2], matrix[0, 1], matrix[0, 2], matrix[1, 2]),
                ):
                    inertia.set(key, repr(float(value)))
        return mass

    @staticmethod
    def _start(joint):
        return 0.0  # limits are left out in these tests

    @staticmethod
    def _fix(joint, at):
        assert at == 0.0
        joint.set("type", "fixed")

    @staticmethod
    def _joint(joint):
        limit, dynamics, mimic = joint.find("limit"), joint.find("dynamics"), joint.find("mimic")
        get = lambda element, key: float(element.get(key, 0) or 0) if element is not None else 0.0
        low, high = get(limit, "lower"), get(limit, "upper")
        reach = 0.3 if joint.get("type") == "prismatic" else math.pi
        if joint.get("type") == "continuous" or not low < high:
            low, high = -reach, reach
        follows = None
        if mimic is not None:
            follows = (mimic.get("joint"), float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0)))
        return {
            "type": joint.get("type"),
            "range": (max(low, -reach), min(high, reach)),
            "damping": get(dynamics, "damping"),
            "friction": get(dynamics, "friction"),
            "mimic": follows,
        }

    def xml(self):
        return ET.tostring(self.root, encoding="unicode")

    def names(self):
        return list(self.joints)

    def leaders(self):
        return [name for name, joint in self.joints.items() if not joint["mimic"]]

    def followed(self, name):
        """Leader, factor and offset of a joint."""
        factor, offset = 1.0, 0.0
        while self.joints[name]["mimic"]:
            leader, multiplier, constant = self.joints[name]["mimic"]
            offset += factor * constant
            factor *= multiplier
            name = leader
        return name, factor, offset

    def expand(self, q, v):
        """Positions and velocities of all joints from those of the leaders."""
        state = {}
        for name in self.joints:
            leader, factor, offset = self.followed(name)
            state[name] = (factor * q[leader] + offset, factor * v[leader])
        return state

    def matrix(self):
        """Velocities of all joints per velocity of the leaders."""
        leaders = self.leaders()
        g = np.zeros((len(self.joints), len(leaders)))
        for row, name in enumerate(self.joints):
            leader, factor, _ = self.followed(name)
            g[row, leaders.index(leader)] = factor
        return g

    def passive(self, velocities, with_friction):
        """Torques of dampers and dry friction."""
        forces = []
        for joint, velocity in zip(self.joints.values(), velocities):
            force = -joint["damping"] * velocity
            if with_friction:
                force -= joint["friction"] * math.tanh(velocity / V_REG)
            forces.append(force)
        return np.array(forces)


class Pinocchio:
    def __init__(self, robot):
        import pinocchio

        self.pin, self.robot = pinocchio, robot
        self.model = pinocchio.buildModelFromXML(robot.xml())
        self.data = self.model.createData()
        self.ids = [self.model.getJointId(name) for name in robot.names()]
        assert all(i < self.model.njoints for i in self.ids)
        assert self.model.nv == len(self.ids), "all degrees of freedom have a name"
        self.rows = np.array([self.model.joints[i].idx_v for i in self.ids], dtype=int)
        self.g = robot.matrix()

    def _full(self, state):
        q, v = self.pin.neutral(self.model), np.zeros(self.model.nv)
        for index, (position, velocity) in zip(self.ids, state):
            joint = self.model.joints[index]
            if joint.nq == 2:
                q[joint.idx_q : joint.idx_q + 2] = math.cos(position), math.sin(position)
            else:
                q[joint.idx_q] = position
            v[joint.idx_v] = velocity
        return q, v

    def accelerations(self, state, with_friction=True):
        """Accelerations of all joints for positions and velocities of all joints."""
        q, v = self._full(state)
        tau = np.zeros(self.model.nv)
        tau[self.rows] = self.robot.passive(v[self.rows], with_friction)
        if len(self.robot.leaders()) == len(self.ids):
            return self.pin.aba(self.model, self.data, q, v, tau)[self.rows]
        mass = np.array(self.pin.crba(self.model, self.data, q))
        mass = np.triu(mass) + np.triu(mass, 1).T
        bias = self.pin.nonLinearEffects(self.model, self.data, q, v)
        mass = mass[np.ix_(self.rows, self.rows)]
        rest = (tau - bias)[self.rows]
        return self.g @ np.linalg.solve(self.g.T @ mass @ self.g, self.g.T @ rest)


    def efforts(self, state, accelerations):
        """Torques of drives, beside dampers and dry friction, for positions, velocities and accelerations."""
        q, v = self._full(state)
        a = np.zeros(self.model.nv)
        a[self.rows] = accelerations
        needed = self.pin.rnea(self.model, self.data, q, v, a)[self.rows]
        return needed - self.robot.passive(v[self.rows], with_friction=True)


class MuJoCo:
    """Robots whose joints follow others, and those with moving links without mass, it does not take."""

    def __init__(self, robot):
        import mujoco

        self.mujoco, self.robot = mujoco, robot
        extension = '<mujoco><compiler fusestatic="true" boundmass="0" boundinertia="0" balanceinertia="false"/></mujoco>'
        xml = re.sub(r"(<robot[^>]*>)", lambda m: m.group(1) + extension, robot.xml(), count=1)
        self.model = mujoco.MjModel.from_xml_string(xml)
        flags = mujoco.mjtDisableBit
        self.model.opt.disableflags |= flags.mjDSBL_CONTACT | flags.mjDSBL_LIMIT | flags.mjDSBL_CONSTRAINT
        self.model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
        self.data = mujoco.MjData(self.model)
        ids = [mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_JOINT, name) for name in robot.names()]
        assert -1 not in ids and self.model.nv == len(ids)
        self.q = self.model.jnt_qposadr[ids]
        self.v = self.model.jnt_dofadr[ids]
        for dof, joint in zip(self.v, robot.joints.values()):
            self.model.dof_damping[dof] = joint["damping"]

    def _set(self, state):
        self.mujoco.mj_resetData(self.model, self.data)
        for q, v, (position, velocity) in zip(self.q, self.v, state):
            self.data.qpos[q], self.data.qvel[v] = position, velocity

    def accelerations(self, state):
        self._set(state)
        friction = [-j["friction"] * math.tanh(v / V_REG) for j, (_, v) in zip(self.robot.joints.values(), state)]
        self.data.qfrc_applied[self.v] = friction
        self.mujoco.mj_forward(self.model, self.data)
        return np.array(self.data.qacc[self.v])

    def positions_after(self, state, duration, step):
        self.model.opt.timestep = step
        self._set(state)
        self.mujoco.mj_step(self.model, self.data, nstep=round(duration / self.model.opt.timestep))
        return np.array(self.data.qpos[self.q])
