//! Linear systems: integrator, first order, transfer function, state space.

use std::sync::Arc;

use crate::component::{Arguments, Component, Factory, Layout, Point};

pub(super) const FACTORIES: &[(&str, Factory)] = &[
    ("integrator", integrator),
    ("first-order", first_order),
    ("transfer-function", transfer_function),
    ("state-space", state_space),
];

/// `x' = A x + B u`, `y = C x + D u`.
#[derive(Debug)]
struct StateSpace {
    a: Vec<Vec<f64>>,
    b: Vec<Vec<f64>>,
    c: Vec<Vec<f64>>,
    d: Vec<Vec<f64>>,
    start: Vec<f64>,
    num_inputs: usize,
}

fn integrator(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
    let (k, start) = (arguments.optional("k")?, arguments.optional("y")?);
    single(vec![vec![0.0]], vec![k], vec![1.0], 0.0, vec![start])
}

fn first_order(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
    let (k, time) = (arguments.optional("k")?, arguments.positive("T")?);
    let start = arguments.optional("y")?;
    single(vec![vec![-1.0 / time]], vec![k / time], vec![1.0], 0.0, vec![start])
}

fn single(a: Vec<Vec<f64>>, b: Vec<f64>, c: Vec<f64>, d: f64, start: Vec<f64>) -> Result<Arc<dyn Component>, String> {
    let b = b.into_iter().map(|b| vec![b]).collect();
    Ok(Arc::new(StateSpace { a, b, c: vec![c], d: vec![vec![d]], start, num_inputs: 1 }))
}

/// `(b[1] s^m + ... + b[m+1]) / (a[1] s^n + ... + a[n+1])` in controllable canonical form.
fn transfer_function(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
    let (numerator, denominator) = (arguments.list("b")?, arguments.list("a")?);
    let n = denominator.len().saturating_sub(1);
    if denominator.first().is_none_or(|a| *a == 0.0) {
        return Err("`a` must begin with a coefficient that is not 0".to_owned());
    }
    if numerator.len() > denominator.len() {
        return Err(format!(
            "the numerator `b` has degree {}, above the {n} of the denominator `a`",
            numerator.len() - 1
        ));
    }
    let lead = denominator[0];
    let a: Vec<f64> = denominator.iter().map(|a| a / lead).collect();
    let mut b = vec![0.0; n + 1 - numerator.len()];
    b.extend(numerator.iter().map(|b| b / lead));
    let row = |k: usize| match k {
        0 => a[1..].iter().map(|a| -a).collect(),
        _ => (0..n).map(|j| f64::from(u8::from(j + 1 == k))).collect(),
    };
    let input = (0..n).map(|k| f64::from(u8::from(k == 0))).collect();
    let output = (0..n).map(|k| b[k + 1] - a[k + 1] * b[0]).collect();
    single((0..n).map(row).collect(), input, output, b[0], vec![0.0; n])
}

fn state_space(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
    let (mut a, mut b, mut c) = (arguments.rows("A")?, arguments.rows("B")?, arguments.rows("C")?);
    let (n, inputs, outputs) = (a.len(), b.first().map_or(0, Vec::len), c.len());
    let d = if arguments.has("D") { arguments.rows("D")? } else { vec![vec![0.0; inputs]; outputs] };
    let mut start = if arguments.has("x") { arguments.list("x")? } else { vec![0.0; n] };
    for (name, matrix, rows, columns) in
        [("A", &a, n, n), ("B", &b, n, inputs), ("C", &c, outputs, n), ("D", &d, outputs, inputs)]
    {
        let found = (matrix.len(), matrix.first().map_or(0, Vec::len));
        if found != (rows, columns) {
            return Err(format!(
                "`{name}` has {} rows and {} columns, but must have {rows} and {columns}",
                found.0, found.1
            ));
        }
    }
    if start.len() != n {
        return Err(format!("`x` has {} elements, but there are {n} states", start.len()));
    }
    let order = arguments.count_or("order", 0, n)?;
    if order > n {
        return Err(format!("`order` is {order}, but the matrices have {n} states"));
    }
    a.truncate(order);
    b.truncate(order);
    start.truncate(order);
    a.iter_mut().chain(&mut c).for_each(|row| row.truncate(order));
    Ok(Arc::new(StateSpace { a, b, c, d, start, num_inputs: inputs }))
}

/// `u` when there is one, `u1`, `u2`, ... when there are more.
fn numbered(name: &str, k: usize, count: usize) -> String {
    if count == 1 { name.to_owned() } else { format!("{name}{}", k + 1) }
}

fn dot(row: &[f64], x: &[f64]) -> f64 {
    row.iter().zip(x).map(|(a, x)| a * x).sum()
}

impl Component for StateSpace {
    fn layout(&self) -> Layout {
        let mut layout = Layout::default();
        for k in 0..self.num_inputs {
            layout = layout.input(&numbered("u", k, self.num_inputs));
        }
        for (k, row) in self.d.iter().enumerate() {
            let name = numbered("y", k, self.d.len());
            layout = if row.iter().all(|d| *d == 0.0) {
                layout.output(&name, "1", "output")
            } else {
                layout.direct_output(&name, "1", "output")
            };
        }
        for (k, start) in self.start.iter().enumerate() {
            layout = layout.state(&format!("x[{}]", k + 1), *start, 1.0);
        }
        layout
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        for (out, (c, d)) in out.iter_mut().zip(self.c.iter().zip(&self.d)) {
            *out = dot(c, at.x) + dot(d, at.inputs);
        }
    }

    fn derivatives(&self, at: &Point<'_>, out: &mut [f64]) {
        for (out, (a, b)) in out.iter_mut().zip(self.a.iter().zip(&self.b)) {
            *out = dot(a, at.x) + dot(b, at.inputs);
        }
    }
}
