"""MuJoCo on an MJCF file: motion without contacts, limits, dry friction, fluid, actuators and what docs/import.md leaves out."""

import mujoco
import numpy as np
import scipy.integrate

HINGE, SLIDE = int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)
BALL, FREE = int(mujoco.mjtJoint.mjJNT_BALL), int(mujoco.mjtJoint.mjJNT_FREE)


class Oracle:
    def __init__(self, path):
        self.model = model = mujoco.MjModel.from_xml_path(str(path))
        flags = mujoco.mjtDisableBit
        model.opt.disableflags |= flags.mjDSBL_CONSTRAINT | flags.mjDSBL_CONTACT | flags.mjDSBL_ACTUATION
        model.opt.density = model.opt.viscosity = 0
        model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
        if model.ntendon:
            for array in (model.tendon_stiffness, model.tendon_damping, model.tendon_armature):
                array[:] = 0
        for joint in range(model.njnt):
            if model.jnt_type[joint] in (BALL, FREE):
                dofs = slice(model.jnt_dofadr[joint], model.jnt_dofadr[joint] + (3 if model.jnt_type[joint] == BALL else 6))
                model.dof_armature[dofs] = 0
                model.jnt_stiffness[joint] = 0
                if model.jnt_type[joint] == FREE:
                    model.dof_damping[dofs] = 0
        self.data = mujoco.MjData(model)
        self.single = [j for j in range(model.njnt) if model.jnt_type[j] in (HINGE, SLIDE)]
        self.balls = [j for j in range(model.njnt) if model.jnt_type[j] == BALL]
        self.free = [j for j in range(model.njnt) if model.jnt_type[j] == FREE]

    def set(self, single, balls, free):
        """Positions and velocities of hinges and slides; angular velocities of balls; velocities of free bodies, in the world."""
        model, data = self.model, self.data
        mujoco.mj_resetData(model, data)
        for joint, (q, v) in zip(self.single, single):
            data.qpos[model.jnt_qposadr[joint]] = q
            data.qvel[model.jnt_dofadr[joint]] = v
        for joint, w in zip(self.balls, balls):
            start = model.jnt_dofadr[joint]
            data.qvel[start : start + 3] = w
        for joint, (v, w) in zip(self.free, free):
            start, q = model.jnt_dofadr[joint], model.jnt_qposadr[joint]
            data.qvel[start : start + 3] = v
            rotation = np.zeros(9)
            mujoco.mju_quat2Mat(rotation, data.qpos[q + 3 : q + 7] / np.linalg.norm(data.qpos[q + 3 : q + 7]))
            data.qvel[start + 3 : start + 6] = rotation.reshape(3, 3).T @ w

    def accelerations(self):
        mujoco.mj_forward(self.model, self.data)
        return np.array([self.data.qacc[self.model.jnt_dofadr[joint]] for joint in self.single])

    def fastest_damper(self):
        """The largest rate at which a damper slows what it damps [1/s], in the configuration of the file."""
        return float(np.max(self.model.dof_damping * self.model.dof_invweight0, initial=0.0))

    def advance(self, duration, step):
        """By the Runge-Kutta of fourth order; without a step by an implicit integrator of SciPy."""
        if step is None:
            return self._integrate(duration)
        self.model.opt.timestep = step
        mujoco.mj_step(self.model, self.data, nstep=round(duration / step))
        mujoco.mj_kinematics(self.model, self.data)

    def _integrate(self, duration):
        model, data = self.model, self.data
        quaternions = [(model.jnt_qposadr[j], model.jnt_dofadr[j]) for j in self.balls]
        quaternions += [(model.jnt_qposadr[j] + 3, model.jnt_dofadr[j] + 3) for j in self.free]

        def rates(_, y):
            q, v = y[: model.nq], y[model.nq :]
            data.qpos[:], data.qvel[:] = q, v
            mujoco.mj_forward(model, data)
            rate = np.zeros(model.nq)
            for joint in self.single:
                rate[model.jnt_qposadr[joint]] = v[model.jnt_dofadr[joint]]
            for joint in self.free:
                at, dof = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
                rate[at : at + 3] = v[dof : dof + 3]
            for at, dof in quaternions:
                turned = np.zeros(4)
                mujoco.mju_mulQuat(turned, np.array(q[at : at + 4]), np.array([0.0, *v[dof : dof + 3]]))
                rate[at : at + 4] = turned / 2
            return np.concatenate([rate, data.qacc])

        start = np.concatenate([data.qpos, data.qvel])
        solved = scipy.integrate.solve_ivp(rates, (0, duration), start, "LSODA", rtol=1e-12, atol=1e-13)
        assert solved.success
        rates(duration, solved.y[:, -1])
        mujoco.mj_kinematics(model, data)

    def orientations(self):
        """Quaternions of ball joints, scalar first."""
        starts = [self.model.jnt_qposadr[joint] for joint in self.balls]
        return [self.data.qpos[at : at + 4] / np.linalg.norm(self.data.qpos[at : at + 4]) for at in starts]

    def coordinates(self):
        """Of hinges and slides."""
        return [self.data.qpos[self.model.jnt_qposadr[joint]] for joint in self.single]

    def positions(self):
        """Of bodies, by name."""
        names = {}
        for body in range(1, self.model.nbody):
            name = mujoco.mj_id2name(self.model, mujoco.mjtObj.mjOBJ_BODY, body)
            if name:
                names[name] = np.array(self.data.xpos[body])
        return names
