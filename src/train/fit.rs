//! Least squares for the weights: stochastic gradient descent, stage by stage, on the error in
//! discs. Few steps on a rare content leave its weight near 0, which is all the regularisation
//! the data need.

use super::play::Sample;
use super::random::Random;
use crate::search::eval::{DISC, STAGE_PLACES, Weights};

/// How the weights are fitted.
#[derive(Clone, Copy, Debug)]
pub struct FitSettings {
    /// Passes over the data.
    pub epochs: u32,
    /// Share of the error that the first steps take away, over all features; falls to a tenth.
    pub rate: f32,
    /// Empties above and below a stage whose positions help to fit it.
    pub reach: u32,
    /// Seed of the order of the positions.
    pub seed: u64,
}

/// Errors of a set of positions, in discs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Errors {
    /// Positions.
    pub count: u64,
    sum_of_squares: f64,
    sum_of_sizes: f64,
}

impl Errors {
    fn add(&mut self, error: f64) {
        self.count += 1;
        self.sum_of_squares += error * error;
        self.sum_of_sizes += error.abs();
    }

    /// Root of the mean square.
    pub fn rms(&self) -> f64 {
        (self.sum_of_squares / self.count.max(1) as f64).sqrt()
    }

    /// Mean size.
    pub fn mean(&self) -> f64 {
        self.sum_of_sizes / self.count.max(1) as f64
    }
}

/// Positions by their number of empties.
pub type ByEmpties = Vec<Vec<Sample>>;

/// Fits all stages of `weights` to `samples`; `done` hears how many stages are.
pub fn fit(
    weights: &mut Weights,
    samples: &ByEmpties,
    settings: FitSettings,
    mut done: impl FnMut(usize),
) {
    let dense = Dense::new(weights);
    let limits = weights.limits().to_vec();
    let mut least = 0;
    for (stage, &most) in limits.iter().enumerate() {
        let last = stage + 1 == limits.len();
        let to = if last { samples.len() as u32 - 1 } else { u32::from(most) };
        let from = u32::saturating_sub(least, settings.reach);
        let reach = (to + settings.reach).min(samples.len() as u32 - 1);
        let used = &samples[from as usize..=reach as usize];
        let mut random = Random::new(settings.seed, stage as u64);
        let solution = fit_stage(weights, &dense, used, settings, &mut random);
        let constants = &solution[dense.count..];
        for empties in least..=to {
            let place = (empties - from) as usize;
            weights.constants_mut()[empties as usize] = round(constants[place]);
        }
        let values = weights.stage_mut(stage);
        for (value, &index) in values.iter_mut().zip(&dense.of_place) {
            *value = if index == NONE { 0 } else { round(solution[index as usize]) };
        }
        least = to + 1;
        done(stage + 1);
    }
}

/// A weight in the units of the file.
fn round(weight: f32) -> i16 {
    (weight * DISC as f32).round().clamp(-32767.0, 32767.0) as i16
}

/// A place that holds no weight.
const NONE: u32 = u32::MAX;

/// Numbers without gaps for the distinct contents.
struct Dense {
    of_place: Vec<u32>,
    count: usize,
}

impl Dense {
    fn new(weights: &Weights) -> Self {
        let mut of_place = vec![NONE; STAGE_PLACES];
        let mut count = 0;
        for class in weights.patterns().classes() {
            for content in class.distinct() {
                of_place[class.place(content)] = count;
                count += 1;
            }
            for (place, equivalent) in class.places() {
                of_place[place] = of_place[equivalent];
            }
        }
        Self { of_place, count: count as usize }
    }
}

/// The weights of one stage: the distinct contents, then a constant for each number of empties.
fn fit_stage(
    weights: &Weights,
    dense: &Dense,
    used: &[Vec<Sample>],
    settings: FitSettings,
    random: &mut Random,
) -> Vec<f32> {
    let features = weights.patterns().features();
    let width = features + 1;
    let mut order: Vec<(u32, u32)> = Vec::new();
    for (group, samples) in used.iter().enumerate() {
        order.extend((0..samples.len()).map(|i| (group as u32, i as u32)));
    }
    random.shuffle(&mut order);
    let mut rows: Vec<u32> = Vec::with_capacity(order.len() * width);
    let mut scores: Vec<f32> = Vec::with_capacity(order.len());
    for &(group, i) in &order {
        let sample = used[group as usize][i as usize];
        let traces = weights.patterns().traces(sample.player, sample.opponent);
        for place in weights.patterns().places(&traces).all() {
            let index = dense.of_place[place];
            if index != NONE {
                rows.push(index);
            }
        }
        rows.push(dense.count as u32 + group);
        scores.push(f32::from(sample.score));
    }
    let mut solution = vec![0_f32; dense.count + used.len()];
    let steps = (settings.epochs as usize * scores.len()).max(1);
    let mut step = 0;
    for _ in 0..settings.epochs {
        for (row, &score) in rows.chunks_exact(width).zip(&scores) {
            let progress = step as f32 / steps as f32;
            step += 1;
            let rate = settings.rate * (1.0 - 0.9 * progress) / width as f32;
            let guess: f32 = row.iter().map(|&index| solution[index as usize]).sum();
            let change = rate * (score - guess);
            for &index in row {
                solution[index as usize] += change;
            }
        }
    }
    solution
}

/// The errors of `weights` on `samples`, by number of empties.
pub fn errors(weights: &Weights, samples: &ByEmpties) -> Vec<Errors> {
    let mut table = vec![Errors::default(); samples.len()];
    for (empties, samples) in samples.iter().enumerate() {
        for sample in samples {
            let traces = weights.patterns().traces(sample.player, sample.opponent);
            let guess = f64::from(weights.guess(&traces, empties as u32)) / f64::from(DISC);
            table[empties].add(f64::from(sample.score) - guess);
        }
    }
    table
}
