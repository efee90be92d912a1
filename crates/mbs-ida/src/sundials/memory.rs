//! One IDA problem of fixed size: the C objects and the calls that drive them.

use std::ffi::{c_int, c_long, c_void};
use std::ops::Range;
use std::ptr::NonNull;

use mbs::simulation::integrator::{DaeSystem, StartPoint};
use sundials_sys::{
    IDA_ONE_STEP, IDA_SUCCESS, IDAClearStopTime, IDACreate, IDAFree, IDAGetDky, IDAGetErrWeights, IDAGetEstLocalErrors,
    IDAGetIntegratorStats, IDAGetNonlinSolvStats, IDAGetRootInfo, IDAInit, IDAReInit, IDARootInit, IDASVtolerances,
    IDASetEtaFixedStepBounds, IDASetId, IDASetInitStep, IDASetJacFn, IDASetLinearSolver, IDASetMaxConvFails,
    IDASetMaxErrTestFails, IDASetMaxStep, IDASetNoInactiveRootWarn, IDASetStopTime, IDASetSuppressAlg, IDASetUserData,
    IDASolve, N_VGetArrayPointer,
};

use super::bridge::{Bridge, BridgeOwner, jacobian, residual, roots};
use super::context::Context;
use super::linear_solver::LinearSolver;
use super::power;
use super::record::{IDAMemRec, Record, clear_differences, forget_roots};
use super::refusal::Refusal;
use super::regrid;
use super::vector::Vector;

/// Attempts per step before IDA gives up; each divides the step size by up to four, twenty in all by 10^12. IDA's own
/// ten are too few when a stiff contact begins with the step size of free flight.
const MAX_ATTEMPTS: c_int = 20;

/// Highest order at which backward differentiation formulas amplify no vibration.
const STABLE_ORDER: c_int = 2;

/// IDA's assumption on the convergence of Newton's iteration without a measured rate: rate/(1 - rate).
const UNKNOWN_RATE: f64 = 20.0;

/// Target of the integration as far as IDA is concerned \[s\]; real limits are stop times.
const FAR_FUTURE: f64 = f64::MAX;

/// What one call of IDASolve returned.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attempt {
    /// IDA's flag.
    pub(crate) flag: c_int,
    /// Time reached, or of the root \[s\].
    pub(crate) t: f64,
}

/// Where the integration stands; counters start at zero at each restart.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Progress {
    /// End of the last accepted step \[s\].
    pub(crate) t: f64,
    /// Size of the last accepted step \[s\].
    pub(crate) last_step: f64,
    /// Size of the step to try next, or that just failed \[s\].
    pub(crate) next_step: f64,
    /// Order of the last accepted step.
    pub(crate) last_order: u32,
    /// Accepted steps.
    pub(crate) steps: u64,
    /// Failed error tests.
    pub(crate) error_test_failures: u64,
    /// Newton iterations.
    pub(crate) nonlinear_iterations: u64,
    /// Newton iterations that did not converge.
    pub(crate) convergence_failures: u64,
    /// Steps that failed the error test since the order was one for the first time.
    pub(crate) failures_at_order_one: u8,
    /// Steps for which the order may not be one, and the step size grow only now and then.
    pub(crate) recovery_steps_left: u8,
}

/// One IDA problem. Fields are dropped in the order of declaration, which is the order C needs.
pub(crate) struct Memory {
    ida: Ida,
    linear_solver: LinearSolver,
    y: Vector,
    yp: Vector,
    absolute_tolerance: Vector,
    differential: Vector,
    /// Kept alive for everything above.
    _context: Context,
    bridge: BridgeOwner,
    num_variables: usize,
    /// Whether tolerances and differential variables have been set in IDA before.
    has_started: bool,
}

// SAFETY: SUNDIALS objects have no thread affinity and share no state between contexts; each `Memory` has a context of
// its own, all access goes through `&mut self`, and the address of a model never survives `step`.
unsafe impl Send for Memory {}

/// The IDA block itself.
struct Ida(NonNull<c_void>);

impl Drop for Ida {
    fn drop(&mut self) {
        let mut raw = self.0.as_ptr();
        // SAFETY: made by IDACreate, freed once; what it refers to is dropped after it.
        unsafe { IDAFree(&raw mut raw) }
    }
}

/// Vectors that a problem has at most: ours, those of IDA and of its solvers.
const VECTORS: usize = 40;

/// Vectors that IDA allocates when tolerances and differential variables are set for the first time.
const VECTORS_OF_RESTART: usize = 4;

/// What a vector takes besides its numbers, and everything else of a problem \[bytes\].
const OVERHEAD: [usize; 2] = [512, 1 << 16];

/// Makes sure that a number of vectors can be allocated: IDA writes into them without checking that.
fn make_room(vectors: usize, rows: usize) -> Result<(), Refusal> {
    let [of_vector, of_all] = OVERHEAD;
    let size = rows
        .checked_mul(size_of::<f64>())
        .and_then(|numbers| numbers.checked_add(of_vector)?.checked_mul(vectors)?.checked_add(of_all));
    let mut room = Vec::<u8>::new();
    let is_there = size.is_some_and(|size| room.try_reserve_exact(size).is_ok());
    std::hint::black_box(room.as_ptr());
    if is_there { Ok(()) } else { Err(Refusal::out_of_memory("N_VClone")) }
}

impl Memory {
    /// Allocates a problem of `num_variables`; [`Memory::restart`] gives it values.
    pub(crate) fn new(num_variables: usize) -> Result<Self, Refusal> {
        power::link();
        // IDA's norms divide by the length; a model without variables gets one of ours with y' = 0.
        let num_rows = num_variables.max(1);
        make_room(VECTORS, num_rows)?;
        let bridge = BridgeOwner::new(num_variables, num_rows);
        let context = Context::new(&bridge)?;
        let linear_solver = LinearSolver::new(&context, &bridge)?;
        let vector = || Vector::new(num_rows, &context);
        let (y, yp, absolute_tolerance, differential) = (vector()?, vector()?, vector()?, vector()?);
        // SAFETY: the context is alive; the function returns null or a block that is ours to free.
        let ida = NonNull::new(unsafe { IDACreate(context.raw()) }).map(Ida);
        let ida = ida.ok_or_else(|| Refusal::out_of_memory("IDACreate"))?;
        let mut memory = Self {
            ida,
            linear_solver,
            y,
            yp,
            absolute_tolerance,
            differential,
            _context: context,
            bridge,
            num_variables,
            has_started: false,
        };
        memory.attach()?;
        Ok(memory)
    }

    /// Sets the constant properties of the problem in IDA.
    fn attach(&mut self) -> Result<(), Refusal> {
        let ida = self.ida.0.as_ptr();
        let (solver, matrix) = self.linear_solver.raw();
        let user_data = self.bridge.user_data();
        let (y, yp) = (self.y.raw(), self.yp.raw());
        // SAFETY: the block is live and new; the vectors belong to `self` and serve as template and start values.
        let flag = unsafe { IDAInit(ida, Some(residual), 0.0, y, yp) };
        self.require(&[("IDAInit", flag)])?;
        let rows = self.y.as_slice().len();
        // SAFETY: as in `remember`.
        unsafe { clear_differences(&mut *ida.cast::<IDAMemRec>(), rows) };
        // SAFETY: the block is initialised; solver, matrix and bridge belong to `self` and outlive it; the callbacks
        // have the signatures of this SUNDIALS and expect exactly this user data.
        let calls = unsafe {
            [
                ("IDASetUserData", IDASetUserData(ida, user_data)),
                ("IDASetLinearSolver", IDASetLinearSolver(ida, solver, matrix)),
                ("IDASetJacFn", IDASetJacFn(ida, Some(jacobian))),
                ("IDASetMaxConvFails", IDASetMaxConvFails(ida, MAX_ATTEMPTS)),
                ("IDASetMaxErrTestFails", IDASetMaxErrTestFails(ida, MAX_ATTEMPTS)),
                ("IDASetNoInactiveRootWarn", IDASetNoInactiveRootWarn(ida)),
            ]
        };
        self.require(&calls)
    }

    /// Number of variables of the model.
    pub(crate) fn num_variables(&self) -> usize {
        self.num_variables
    }

    /// Starts a new segment from validated values of this size. `first_step` \[s\] is positive.
    pub(crate) fn restart(&mut self, start: &StartPoint<'_>, first_step: f64) -> Result<(), Refusal> {
        let num_roots = c_int::try_from(start.num_roots).map_err(|_| Refusal::out_of_memory("IDARootInit"))?;
        if !self.has_started {
            make_room(VECTORS_OF_RESTART, self.y.as_slice().len())?;
            self.has_started = true;
        }
        self.load(start);
        let ida = self.ida.0.as_ptr();
        let (y, yp) = (self.y.raw(), self.yp.raw());
        let (tolerance, differential) = (self.absolute_tolerance.raw(), self.differential.raw());
        let suppress = c_int::from(start.differential.contains(&false));
        let max_step = start.max_step.unwrap_or(0.0); // zero means unlimited
        // SAFETY: the block is live and initialised; the vectors have its size, and IDA copies them. Root functions are
        // removed first because IDA would otherwise keep those switched off that were zero at an earlier start.
        let calls = unsafe {
            [
                ("IDAReInit", IDAReInit(ida, start.t, y, yp)),
                ("IDASVtolerances", IDASVtolerances(ida, start.relative_tolerance, tolerance)),
                ("IDASetId", IDASetId(ida, differential)),
                ("IDASetSuppressAlg", IDASetSuppressAlg(ida, suppress)),
                ("IDASetInitStep", IDASetInitStep(ida, first_step)),
                ("IDASetMaxStep", IDASetMaxStep(ida, max_step)),
                ("IDAClearStopTime", IDAClearStopTime(ida)),
                ("IDARootInit", IDARootInit(ida, 0, None)),
                ("IDARootInit", IDARootInit(ida, num_roots, Some(roots))),
            ]
        };
        self.bridge.get().set_num_roots(start.num_roots);
        self.bridge.get().forget_linearization();
        self.require(&calls)?;
        // SAFETY: as in `remember`; all calls have succeeded.
        unsafe { forget_roots(&mut *ida.cast::<IDAMemRec>()) };
        Ok(())
    }

    /// Copies start values into the vectors; a row without variable rests at zero.
    fn load(&mut self, start: &StartPoint<'_>) {
        let n = self.num_variables;
        self.y.as_mut_slice().fill(0.0);
        self.yp.as_mut_slice().fill(0.0);
        self.absolute_tolerance.as_mut_slice().fill(1.0);
        self.differential.as_mut_slice().fill(1.0);
        self.y.as_mut_slice()[..n].copy_from_slice(start.y);
        self.yp.as_mut_slice()[..n].copy_from_slice(start.yp);
        self.absolute_tolerance.as_mut_slice()[..n].copy_from_slice(start.absolute_tolerance);
        for (mark, &differential) in self.differential.as_mut_slice().iter_mut().zip(start.differential) {
            *mark = f64::from(u8::from(differential));
        }
    }

    /// Whether the step size may grow or not.
    pub(crate) fn limit_growth(&mut self, limited: bool) {
        // The estimate must allow this factor before a step grows; zero stands for IDA's own.
        let least_growth = if limited { f64::MAX } else { 0.0 };
        // SAFETY: the block is live.
        unsafe { IDASetEtaFixedStepBounds(self.ida.0.as_ptr(), 1.0, least_growth) };
    }

    /// Takes the next step at order two if it would be taken at order one. After a step the difference that the higher
    /// order needs is always there: it is the step's correction.
    pub(crate) fn leave_order_one(&mut self) {
        // SAFETY: as in `remember`.
        let ida = unsafe { &mut *self.ida.0.as_ptr().cast::<IDAMemRec>() };
        if ida.ida_nst > 0 && ida.ida_kused >= 1 {
            ida.ida_kk = ida.ida_kk.max(2);
        }
    }

    /// Takes the next step at order two at most, or at any order: the differences of the lower order are among those
    /// of the higher one.
    pub(crate) fn limit_order(&mut self, limited: bool) {
        // SAFETY: as in `remember`.
        let ida = unsafe { &mut *self.ida.0.as_ptr().cast::<IDAMemRec>() };
        ida.ida_maxord = if limited { STABLE_ORDER } else { ida.ida_maxord_alloc };
        ida.ida_kk = ida.ida_kk.min(ida.ida_maxord);
    }

    /// Sets the error at which Newton's iteration ends, as a fraction of the usual one.
    pub(crate) fn sharpen_newton(&mut self, factor: f64) {
        // SAFETY: as in `remember`.
        let ida = unsafe { &mut *self.ida.0.as_ptr().cast::<IDAMemRec>() };
        ida.ida_epsNewt = factor * ida.ida_epcon;
    }

    /// Multiplies absolute tolerances by two to a power, which is exact.
    pub(crate) fn scale_tolerances(&mut self, range: Range<usize>, exponent: i32) {
        if exponent == 0 {
            return;
        }
        let factor = 2.0_f64.powi(exponent);
        // SAFETY: as in `remember`; IDA holds a copy of the absolute tolerances with as many rows as `y`.
        let tolerances = unsafe {
            let copy = N_VGetArrayPointer((*self.ida.0.as_ptr().cast::<IDAMemRec>()).ida_Vatol);
            std::slice::from_raw_parts_mut(copy, self.num_variables)
        };
        tolerances[range].iter_mut().for_each(|tolerance| *tolerance *= factor);
    }

    /// Resets the convergence rate of Newton's iteration of earlier steps: with an earlier rate, IDA might accept the
    /// first iteration of the next step.
    pub(crate) fn forget_convergence(&mut self) {
        // SAFETY: as in `remember`.
        unsafe { (*self.ida.0.as_ptr().cast::<IDAMemRec>()).ida_ss = UNKNOWN_RATE };
    }

    /// Writes the history as if the past steps had been as short as `step` \[s\]; see [`regrid`].
    pub(crate) fn refine_history(&mut self, step: f64) {
        let rows = self.y.as_slice().len();
        // SAFETY: as in `remember`.
        unsafe { regrid::refine(&mut *self.ida.0.as_ptr().cast::<IDAMemRec>(), rows, step) };
    }

    /// Lets IDA take one step with the model, not beyond `stop` \[s\] (later than the present time), or find a root.
    pub(crate) fn step(&mut self, system: &mut dyn DaeSystem, stop: Option<f64>) -> Attempt {
        let mut lent: &mut dyn DaeSystem = system;
        let bridge = self.bridge.get();
        bridge.clear_reports();
        // SAFETY: `lent` lives until the end of this function and is used only by callbacks until `unlend`, which is
        // reached because C code cannot unwind and callbacks catch panics.
        unsafe { bridge.lend((&raw mut lent).cast()) };
        let (ida, mut t) = (self.ida.0.as_ptr(), 0.0);
        let (y, yp) = (self.y.raw(), self.yp.raw());
        // SAFETY: the block is live and initialised by `restart`; `t` is a place for the result; the vectors have the
        // size of the problem; the bridge is not borrowed here while callbacks may use it.
        let flag = unsafe {
            let flag = match stop {
                Some(stop) => IDASetStopTime(ida, stop),
                None => IDAClearStopTime(ida),
            };
            if flag == IDA_SUCCESS { IDASolve(ida, FAR_FUTURE, &raw mut t, y, yp, IDA_ONE_STEP) } else { flag }
        };
        self.bridge.get().unlend();
        Attempt { flag, t }
    }

    /// Where the integration stands.
    pub(crate) fn progress(&mut self) -> Progress {
        let ida = self.ida.0.as_ptr();
        let [mut steps, mut residuals, mut setups, mut error_fails, mut iterations, mut fails]: [c_long; 6] = [0; 6];
        let (mut last_order, mut next_order): (c_int, c_int) = (0, 0);
        let [mut first, mut last, mut next, mut t] = [0.0_f64; 4];
        // SAFETY: the block is live; all pointers are places for one value of the right type. Neither call can fail.
        unsafe {
            IDAGetIntegratorStats(
                ida,
                &raw mut steps,
                &raw mut residuals,
                &raw mut setups,
                &raw mut error_fails,
                &raw mut last_order,
                &raw mut next_order,
                &raw mut first,
                &raw mut last,
                &raw mut next,
                &raw mut t,
            );
            IDAGetNonlinSolvStats(ida, &raw mut iterations, &raw mut fails);
        }
        let count = |value: c_long| u64::try_from(value).unwrap_or(0);
        Progress {
            t,
            last_step: last,
            next_step: next,
            last_order: last_order.unsigned_abs(),
            steps: count(steps),
            error_test_failures: count(error_fails),
            nonlinear_iterations: count(iterations),
            convergence_failures: count(fails),
            failures_at_order_one: 0,
            recovery_steps_left: 0,
        }
    }

    /// Writes +1, -1 or 0 for each root function after a root (length as at the restart).
    pub(crate) fn root_directions(&mut self, directions: &mut [i32]) {
        if directions.is_empty() || directions.len() != self.bridge.get().num_roots() {
            return;
        }
        // SAFETY: the block is live and writes as many numbers as it has root functions, which is the slice's length.
        unsafe { IDAGetRootInfo(self.ida.0.as_ptr(), directions.as_mut_ptr()) };
    }

    /// The variable with the largest estimated error of the last step, measured by its tolerance.
    pub(crate) fn least_accurate(&mut self) -> Option<usize> {
        let (errors, weights) = (self.y.raw(), self.yp.raw());
        // SAFETY: the block is live and has taken a step; the vectors have its size. Their former values are not
        // needed.
        let flags = unsafe {
            [
                ("IDAGetEstLocalErrors", IDAGetEstLocalErrors(self.ida.0.as_ptr(), errors)),
                ("IDAGetErrWeights", IDAGetErrWeights(self.ida.0.as_ptr(), weights)),
            ]
        };
        self.require(&flags).ok()?;
        let (errors, weights) = (self.y.as_slice(), self.yp.as_slice());
        let size = |k: usize| (errors[k] * weights[k]).abs();
        (0..self.num_variables).max_by(|&a, &b| size(a).total_cmp(&size(b)))
    }

    /// Writes derivative `order` (0 or 1) of the solution at `t` \[s\], inside the last accepted step.
    pub(crate) fn interpolate(&mut self, t: f64, order: c_int, values: &mut [f64]) -> Result<(), Refusal> {
        // The result of the last step is no longer needed in `y`: IDA keeps its own history.
        let y = self.y.raw();
        // SAFETY: the block is live, the vector has its size.
        let flag = unsafe { IDAGetDky(self.ida.0.as_ptr(), t, order, y) };
        self.require(&[("IDAGetDky", flag)])?;
        values.copy_from_slice(&self.y.as_slice()[..self.num_variables]);
        Ok(())
    }

    /// Copies what decides how the integration continues into `record`.
    pub(crate) fn remember(&mut self, record: &mut Record) {
        let rows = self.y.as_slice().len();
        // SAFETY: the block is what IDACreate returned, of the bound type, initialised with vectors of this length; no
        // C code runs.
        unsafe { record.copy_from(&mut *self.ida.0.as_ptr().cast::<IDAMemRec>(), rows) };
    }

    /// Continues from a stored record of the same problem; must follow [`Memory::restart`].
    pub(crate) fn resume(&mut self, record: &Record, restarted_at: f64) -> Result<(), Refusal> {
        self.set_up(restarted_at)?;
        let rows = self.y.as_slice().len();
        // SAFETY: as in `remember`.
        unsafe { record.copy_to(&mut *self.ida.0.as_ptr().cast::<IDAMemRec>(), rows) }
    }

    /// Lets IDA do what it does once after a restart, without a step: a target equal to the present time is refused
    /// after that.
    fn set_up(&mut self, now: f64) -> Result<(), Refusal> {
        let (ida, mut t) = (self.ida.0.as_ptr(), 0.0);
        let (y, yp) = (self.y.raw(), self.yp.raw());
        // SAFETY: as in `step`; no callback is reached, and callbacks without a model refuse.
        let flag = unsafe { IDASolve(ida, now, &raw mut t, y, yp, IDA_ONE_STEP) };
        let message = self.bridge.get().take_messages();
        // SAFETY: as in `remember`.
        let done = unsafe { (*ida.cast::<IDAMemRec>()).ida_SetupDone } != 0;
        if done { Ok(()) } else { Err(Refusal { function: "IDASolve", flag, message }) }
    }

    /// What the last step left behind.
    pub(crate) fn bridge(&mut self) -> &mut Bridge {
        self.bridge.get()
    }

    /// Turns the first failure of a list of calls into an error.
    fn require(&mut self, calls: &[(&'static str, c_int)]) -> Result<(), Refusal> {
        match calls.iter().find(|(_, flag)| *flag != IDA_SUCCESS) {
            None => Ok(()),
            Some(&(function, flag)) => Err(Refusal { function, flag, message: self.bridge.get().take_messages() }),
        }
    }
}
