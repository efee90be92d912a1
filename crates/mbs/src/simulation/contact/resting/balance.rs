//! Which supports carry, and where friction holds: the balance of forces at one instant.

use crate::contact::PairId;
use crate::contact::hinge::{FrictionMode, Hinge, MOST_SUPPORTS, Planar, flat_corners};
use crate::dynamics::{Six, closures_of, pair_rooms, pressing, thickness};
use crate::math::Seconds;
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::topology::WELD;

use super::friction_state::EXCEEDED;
use super::problem::{GivenMotions, Mode, NONE, Problem, Solution};
use super::rows::Member;

/// Softness of a support (velocity per force) over the mobility of what touches, the scale of time and the tolerance.
/// Multipliers of redundant hinges are as uncertain as velocities are over the softness.
const CREEP: f64 = 2e-3;
/// Bounds of that times the tolerance.
const CREEP_BOUNDS: [f64; 2] = [1e-10, 1e-7];

/// Part of the greatest normal force by which others may pull before they let go.
const SLACK: f64 = 1e-7;

/// Acceleration, relative to that of gravity and to the scale of acceleration, below which normal forces are none: what
/// lifts off is let go of, whatever rounding makes of its last force.
const WEIGHTLESS: f64 = 1e-8;

/// Part of the greatest normal force of a pair that its other supports may lack: the dense problem finds no less.
const FAINT: f64 = 1e-6;

/// Rounds in which forces of the equations correct what the dense problem has found.
const CORRECTIONS: usize = 20;

/// Impulses in a row that stop what jams.
const MOST_JAMS: usize = 6;

/// Moment for which sliding bodies that jam are pressed on each other, relative to the scale of time.
const PUSHED: f64 = 1e-6;

/// How much longer it is in every further round.
const LONGER: f64 = 3.0;

/// What became of the balance of forces.
enum Balance {
    /// Hinges are formed.
    Found,
    /// There are no forces of hinges for some problems.
    None(Vec<usize>),
    /// There are some, but the equations with them and with components have not been solved: friction that slides and
    /// spins depends on the forces it causes.
    Unsolved,
}

/// What a hinge that is held comes from.
struct Origin {
    problem: usize,
    pair: usize,
    member: Member,
}

impl Simulation {
    /// Forms the hinges that balance the forces at the present point, where none is held.
    pub(super) fn balance_forces(&mut self) -> Result<(), SimulationError> {
        let (mut parting, mut is_stuck, mut jammed) = (0.0, false, Vec::<PairId>::new());
        for round in 0..MOST_JAMS {
            let mut problems = self.problems(parting)?;
            if problems.iter().any(|problem| self.are_askew(&problem.pairs)) {
                self.straighten(&problems);
                problems = self.problems(parting)?;
            }
            if problems.is_empty() {
                return Ok(());
            }
            for problem in &mut problems {
                if self.model.scene.follows_references {
                    if let Some(pair) = problem.undetermined() {
                        return Err(self.undetermined_contact(pair));
                    }
                    problem.let_agree();
                }
                let has_jammed = problem.holds_one_of(&jammed);
                problem.is_pinned = has_jammed && 2 * round >= MOST_JAMS;
                problem.accepts_jams = has_jammed && (problem.is_pinned || is_stuck);
            }
            let unbalanced = match self.balance_problems(&mut problems)? {
                Balance::Found => return Ok(()),
                Balance::Unsolved => return self.yield_elastically(&problems.iter().collect::<Vec<_>>()),
                Balance::None(unbalanced) => unbalanced.into_iter().map(|k| &problems[k]).collect::<Vec<_>>(),
            };
            // What slides stops by an impulse without collision.
            let stopped = self.stop_sliding(&unbalanced, round)?;
            if stopped.is_none() && is_stuck {
                return self.yield_elastically(&unbalanced);
            }
            is_stuck = stopped.is_none();
            parting = stopped.unwrap_or(0.0);
            jammed.extend(unbalanced.iter().flat_map(|problem| &problem.pairs).map(|pair| pair.pair));
            // Hinges stop without friction what still approaches: an impact must do that before.
            self.collide_free()?;
        }
        let problems = self.problems(parting)?;
        let mut unbalanced: Vec<&Problem> = problems.iter().filter(|problem| problem.holds_one_of(&jammed)).collect();
        if unbalanced.is_empty() {
            unbalanced = problems.iter().collect();
        }
        if unbalanced.is_empty() { Ok(()) } else { self.yield_elastically(&unbalanced) }
    }

    /// What touches and does not part faster than a velocity \[m/s\], by what has to do with each other.
    fn problems(&mut self, parting: f64) -> Result<Vec<Problem>, SimulationError> {
        Ok(self.touching_rows(parting)?.into_iter().map(|(pairs, rows)| Problem::new(pairs, rows)).collect())
    }

    /// Lets the pairs of problems that have no forces rest on the elastic law, all if each has some alone, and holds the
    /// others.
    fn yield_elastically(&mut self, problems: &[&Problem]) -> Result<(), SimulationError> {
        let pair_of = |problem: &Problem, p: usize| problem.pairs[p].pair;
        let without = problems.iter().flat_map(|of| of.without_answer().into_iter().map(|p| pair_of(of, p)));
        let mut pairs: Vec<PairId> = without.collect();
        if pairs.is_empty() {
            pairs = problems.iter().flat_map(|problem| &problem.pairs).map(|pair| pair.pair).collect();
        }
        if !self.rest_elastically(&pairs, self.point.t, "no forces with friction balance them") {
            return Err(self.jammed(problems));
        }
        self.update_contacts()?;
        self.balance_forces()
    }

    /// Forms hinges for the forces of problems.
    fn balance_problems(&mut self, problems: &mut [Problem]) -> Result<Balance, SimulationError> {
        let mut solutions: Vec<Option<Solution>> = problems.iter().map(|_| None).collect();
        for _ in 0..CORRECTIONS {
            let mut unbalanced = solve_missing(problems, &mut solutions);
            for (k, (problem, solution)) in problems.iter_mut().zip(&solutions).enumerate() {
                if solution.as_ref().is_some_and(|solution| problem.jams(solution)) {
                    unbalanced.push(k);
                }
            }
            if !unbalanced.is_empty() {
                return Ok(Balance::None(unbalanced));
            }
            let (hinges, origins) = self.form_all(problems, &solutions);
            if !self.hold_consistently(hinges) {
                return Ok(Balance::Unsolved);
            }
            let corrected = self.correct(problems, &origins);
            if corrected.is_empty() {
                return Ok(Balance::Found);
            }
            corrected.into_iter().for_each(|k| solutions[k] = None);
            self.hold(Vec::new());
        }
        // What is left is a matter of rounding.
        let unbalanced = solve_missing(problems, &mut solutions);
        if !unbalanced.is_empty() {
            return Ok(Balance::None(unbalanced));
        }
        let (hinges, _) = self.form_all(problems, &solutions);
        Ok(if self.hold_consistently(hinges) { Balance::Found } else { Balance::Unsolved })
    }

    /// Holds bodies by these hinges if the equations with them and with components have a solution, by none otherwise;
    /// whether they have.
    fn hold_consistently(&mut self, hinges: Vec<Hinge>) -> bool {
        let of_components = self.segment.topology.num_variables();
        let efforts = self.point.y[of_components..].to_vec();
        self.hold(hinges);
        let is_solved = self.consistent_derivatives().is_ok();
        if !is_solved {
            self.hold(Vec::new());
            let of_components = self.segment.topology.num_variables();
            self.point.y[of_components..].copy_from_slice(&efforts);
        }
        is_solved
    }

    /// Stops what slides among the pairs of problems by the impulses of a moment in which bodies would fall into each
    /// other: contacts press although nothing approaches (P. Painlevé's paradox; F. Génot & B. Brogliato, *Eur. J. Mech.
    /// A* 18, 1999, 653-677). The velocity \[m/s\] with which the contacts may part from it; none where there are no such
    /// impulses. The moment is longer in every `round`.
    fn stop_sliding(&mut self, problems: &[&Problem], round: usize) -> Result<Option<f64>, SimulationError> {
        let time = PUSHED * self.segment.topology.scales.time * elementary::pow(LONGER, round as f64);
        let mut approaches = Vec::new();
        for (problem, pair) in problems.iter().flat_map(|of| of.pairs.iter().map(move |pair| (of, pair))) {
            let free = &problem.rows.free[pair.range()];
            approaches.extend(pair.supports.iter().zip(free).map(|(support, a)| (pair.pair, *support, -time * a)));
        }
        let fastest = approaches.iter().map(|(.., approach)| approach.abs()).fold(0.0, f64::max);
        Ok(self.press(&approaches)?.then_some(2.0 * fastest))
    }

    /// Takes from every problem the support that would pull most, or else lets the friction slide there that holds more
    /// than it can; the problems in which there was one.
    fn correct(&self, problems: &mut [Problem], origins: &[Origin]) -> Vec<usize> {
        let topology = &self.segment.topology;
        let bodies = &self.segment.evaluator.workspace.bodies;
        let multipliers = &self.point.yp[topology.num_q + topology.num_v..];
        let six_of = |k: usize| Six::from_fn(|r, _| multipliers[WELD * k + r]);
        let closures: Vec<Option<usize>> = closures_of(topology, &self.contacts.hinges).collect();
        let of_welds = multipliers[..WELD * topology.num_welds()].iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let mut greatest = vec![of_welds; problems.len()];
        for (origin, closure) in origins.iter().zip(&closures) {
            let own = &mut greatest[origin.problem];
            *own = closure.map_or(*own, |k| own.max(six_of(k).amax()));
        }
        let mut worst: Vec<Option<(f64, usize)>> = vec![None; problems.len()];
        let mut exceeded: Vec<Option<(f64, usize, Planar)>> = vec![None; problems.len()];
        for ((hinge, closure), origin) in self.contacts.hinges.iter().zip(&closures).zip(origins) {
            let Some(k) = *closure else { continue };
            let (six, p, member) = (six_of(k), origin.pair, &origin.member);
            let problem = &problems[origin.problem];
            let (worst, exceeded) = (&mut worst[origin.problem], &mut exceeded[origin.problem]);
            let Some(tie) = self.segment.evaluator.loops.tie(k) else { continue };
            let pressure = tie.pressure(&six);
            let rooms = pair_rooms(topology, bodies, hinge.pair);
            if pressing(hinge, tie, &pressure, [rooms[0].body, rooms[1].body]) < -NONE * greatest[origin.problem] {
                // The one that springs in their place would pull most.
                let gaps =
                    hinge.softness.normal.map(|row| row.iter().zip(&pressure.loads).map(|(s, f)| s * f).sum::<f64>());
                let load =
                    |parts: &[f64; MOST_SUPPORTS]| parts.iter().zip(&gaps).map(|(part, gap)| part * gap).sum::<f64>();
                let loads = member.pressing.iter().zip(member.parts.iter().map(load));
                let least = loads.min_by(|a, b| a.1.total_cmp(&b.1));
                let size = problem.softness(p);
                if let Some((support, load)) = least.map(|(support, gap)| (support, gap / size))
                    && worst.is_none_or(|(least, _)| load < least)
                {
                    *worst = Some((load, problem.pairs[p].first + support));
                }
            }
            if let FrictionMode::Sticks = hinge.friction.mode
                && !problem.is_pinned
                && !problem.holds[p]
            {
                let (need, direction) = hinge.friction.need(&pressure, &tie.efforts(&six));
                if need > 1.0 + EXCEEDED && exceeded.is_none_or(|(most, ..)| need > most) {
                    *exceeded = Some((need, p, direction));
                }
            }
        }
        for (problem, (worst, exceeded)) in problems.iter_mut().zip(worst.iter().zip(&exceeded)) {
            match (worst, exceeded) {
                (Some((_, support)), _) => problem.excluded[*support] = true,
                (None, Some((_, pair, direction))) => {
                    problem.modes[*pair] = Mode::Slides { direction: *direction, begins: true };
                    problem.slips[*pair] = true;
                }
                (None, None) => {}
            }
        }
        (0..problems.len()).filter(|&k| worst[k].is_some() || exceeded[k].is_some()).collect()
    }

    /// Softness of a support over the mobility of what touches and the scale of time.
    fn creep(&self) -> f64 {
        let [least, most] = CREEP_BOUNDS;
        (CREEP * self.model.options.relative_tolerance).clamp(least, most)
    }

    /// The hinges of all solutions, by their pairs, and where they come from.
    fn form_all(&self, problems: &[Problem], solutions: &[Option<Solution>]) -> (Vec<Hinge>, Vec<Origin>) {
        let mut all = Vec::new();
        for (problem, (own, solution)) in problems.iter().zip(solutions).enumerate() {
            let Some(solution) = solution else { continue };
            let (hinges, members) = self.form(own, solution);
            let origin = |(pair, member)| Origin { problem, pair, member };
            all.extend(hinges.into_iter().zip(members.into_iter().enumerate().map(origin)));
        }
        all.sort_by_key(|(hinge, _)| hinge.pair);
        let (mut hinges, origins): (Vec<Hinge>, Vec<Origin>) = all.into_iter().unzip();
        number_dependences(&mut hinges, &origins, problems.len());
        (hinges, origins)
    }

    /// The hinges of a solution, and what they are made of.
    fn form(&self, problem: &Problem, solution: &Solution) -> (Vec<Hinge>, Vec<Member>) {
        let topology = &self.segment.topology;
        let bodies = &self.segment.evaluator.workspace.bodies;
        let greatest = solution.loads.iter().fold(0.0_f64, |most, x| most.max(*x));
        let usual = topology.scales.velocity() / topology.scales.time;
        let (mut hinges, mut members) = (Vec::new(), Vec::new());
        for (p, pair) in problem.pairs.iter().enumerate() {
            let strongest = solution.loads[pair.range()].iter().fold(0.0_f64, |most, x| most.max(*x));
            let gravity = topology.gravity.acceleration(&pair.points[0].point).norm();
            let weightless = WEIGHTLESS * gravity.max(usual) / pair.mobility;
            let least = (NONE * greatest).max(FAINT * strongest).max(weightless);
            let presses = |k: &usize| solution.loads[pair.first + k] > least;
            let pressing: Vec<usize> = (0..pair.supports.len()).filter(presses).collect();
            let mode = match problem.modes[p] {
                _ if pressing.is_empty() => FrictionMode::Absent,
                Mode::Free => FrictionMode::Absent,
                Mode::Sticks => FrictionMode::Sticks,
                Mode::Slides { direction, .. } => FrictionMode::Slides(direction),
            };
            let softness = self.creep() * pair.mobility * topology.scales.time;
            let (mut hinge, member) = pair.hinge(&pressing, mode, softness);
            let (loads, efforts) = (&solution.loads[pair.range()], problem.efforts(solution, p));
            hinge.reference = pair.multipliers((&hinge, &member), loads, efforts, topology.scales.length);
            let rooms = pair_rooms(topology, bodies, pair.pair);
            let (normal, thin) = (pair.normal(), thickness(topology, pair.pair));
            (hinge.slack, hinge.play) = ((SLACK * greatest).max(weightless), self.play_of_hinges());
            hinge.most = problem.greatest_load(solution, p);
            hinge.flat = [flat_corners(&rooms[0], &normal, thin), flat_corners(&rooms[1], &-normal, thin)];
            members.push(member);
            hinges.push(hinge);
        }
        let given = self.model.scene.follows_references.then(|| GivenMotions {
            weight: 1.0 / (self.creep() * topology.scales.time),
            length: topology.scales.length,
        });
        problem.mark_independent(solution, &mut hinges, &members, given);
        (hinges, members)
    }

    /// The error of forces without an answer.
    fn jammed(&self, problems: &[&Problem]) -> SimulationError {
        let name =
            |shape: u32| self.model.scene.objects[self.segment.topology.shapes[shape as usize].object].path.as_str();
        let pairs: Vec<PairId> = problems.iter().flat_map(|problem| &problem.pairs).map(|pair| pair.pair).collect();
        let text = |PairId { a, b }: &PairId| format!("`{}` on `{}`", name(*a), name(*b));
        let names: Vec<String> = pairs.iter().take(5).map(text).collect();
        SimulationError::StepNotFinished(format!(
            "no forces with friction balance {} at t = {} s (pairs in all: {}): what slides there jams; take a smaller `mu_k`, or \
             `resting = \"elastic\"`",
            names.join(", "),
            Seconds(self.point.t),
            pairs.len()
        ))
    }
}

/// Solves the problems whose solutions are missing; those that have none.
fn solve_missing(problems: &mut [Problem], solutions: &mut [Option<Solution>]) -> Vec<usize> {
    let missing = problems.iter_mut().zip(solutions.iter_mut()).enumerate().filter(|(_, (_, known))| known.is_none());
    let unsolved = missing.filter_map(|(k, (problem, solution))| {
        *solution = problem.solve().ok();
        solution.is_none().then_some(k)
    });
    unsolved.collect()
}

/// Lets rows that follow from others name the hinges of these among all that press, not among those of their problem.
fn number_dependences(hinges: &mut [Hinge], origins: &[Origin], problems: usize) {
    let (mut numbers, mut next) = (vec![Vec::new(); problems], 0);
    for (hinge, origin) in hinges.iter().zip(origins) {
        if !hinge.supports.is_empty() {
            numbers[origin.problem].push(next);
            next += 1;
        }
    }
    for (hinge, origin) in hinges.iter_mut().zip(origins) {
        for (of, ..) in hinge.dependences.iter_mut().flat_map(|dependence| &mut dependence.parts) {
            *of = numbers[origin.problem][*of as usize];
        }
    }
}
