//! The forward half of a build: which positions are reachable, layer by layer of discs.
//!
//! For each canonical set of occupied squares in turn, the placements that lead to it are played
//! from all positions of the layer before (*pulled*), into one bit a colouring. So the threads
//! share nothing that is written, and the bits fit the cache.
//!
//! Positions are told apart by mover and opponent up to symmetry. What else must be known to count
//! them under the other identities is which images of a position are reachable, and with which
//! side to move. Let K be the symmetries that leave the start as it is: what is reachable has
//! them too. An image under h is reachable together with the whole coset Kh, so a bit for each
//! coset and side is enough: a *plane*. Every canonical position has a set of planes.

use super::grid::{Grid, Spread, bits};
use super::layer::Layer;
use super::lists::{ListReader, push_list};
use super::sets::{Origin, SetIndex, origins};
use super::step::{CHUNK, Step, Target};
use crate::board::count::{Counts, Positions};
use crate::board::{Game, Position, Shape};
use crate::kernel::Kernel;

/// Planes as a set: bit 2c is coset c with Black to move, bit 2c + 1 with White.
type Planes = u16;

/// The cosets of the symmetries that the start has.
struct Cosets {
    /// How many symmetries the start has.
    kept: u64,
    count: usize,
    /// `after[coset][map]` is the coset of an image of an image.
    after: Vec<Vec<u8>>,
}

impl Cosets {
    fn new(grid: &Grid, start: (u32, u32)) -> Self {
        let maps = 0..grid.symmetries();
        let image = |map, (own, other)| (grid.image(map, own), grid.image(map, other));
        let kept: Vec<usize> = maps.clone().filter(|&map| image(map, start) == start).collect();
        // Each coset by its least map.
        let least = |map| kept.iter().map(|&k| grid.product(k, map)).min().unwrap_or(map);
        let leaders: Vec<usize> = maps.clone().filter(|&map| least(map) == map).collect();
        let coset = |map| leaders.binary_search(&least(map)).unwrap_or_default() as u8;
        let row = |&h: &usize| maps.clone().map(|map| coset(grid.product(h, map))).collect();
        let after = leaders.iter().map(row).collect();
        Self { kept: kept.len() as u64, count: leaders.len(), after }
    }

    /// The planes of a position whose image under `map` has the planes `planes`.
    fn moved(&self, planes: Planes, map: usize) -> Planes {
        if map == 0 {
            return planes;
        }
        let coset = |plane: u32| u32::from(self.after[plane as usize / 2][map]);
        bits(planes.into()).fold(0, |set, plane| set | 1 << (2 * coset(plane) + plane % 2))
    }

    /// How many positions stand behind a canonical one that `fixed` maps leave as it is.
    fn positions(&self, planes: Planes, fixed: u64) -> Positions {
        let cosets = (planes | planes >> 1) & 0x5555;
        let images = |count: u32| self.kept * u64::from(count) / fixed;
        Positions {
            colored: images(planes.count_ones()),
            mover: images(cosets.count_ones()),
            canonical: u64::from(planes != 0),
        }
    }
}

/// The other side to move.
fn other_side(planes: Planes) -> Planes {
    (planes & 0x5555) << 1 | (planes >> 1) & 0x5555
}

/// What is reachable with one set of occupied squares.
pub struct Reached {
    /// The set.
    pub set: u32,
    /// Positions just after a placement.
    pub count: u32,
    /// Their list, then a bit each in the same order: whether the mover must pass.
    pub keys: Vec<u16>,
    /// Positions from which a placement is possible, those after a pass among them; one in
    /// several planes counts for each.
    pub source_count: u32,
    /// For each plane that has such positions: the plane and their list.
    pub sources: Vec<u16>,
    /// The counts in every convention.
    pub counts: Counts,
}

/// Working memory of a thread.
pub struct Scratch {
    planes: Vec<Vec<u64>>,
    used: Planes,
    step: Step,
    origins: Vec<Origin>,
    board: Spread<u64>,
    keys: Vec<u32>,
    must_pass: Vec<u16>,
    passed: Vec<(u32, Planes, u64)>,
    sources: Vec<Vec<u32>>,
}

/// The game, for going forward.
pub struct Forward<'a> {
    grid: &'a Grid,
    shape: Shape,
    cosets: Cosets,
    start: (u32, u32),
}

impl<'a> Forward<'a> {
    /// A game from its start.
    pub fn new(grid: &'a Grid, shape: Shape, start: &Position) -> Self {
        let start = grid.dense_position(start);
        Self { grid, shape, cosets: Cosets::new(grid, start), start }
    }

    fn plane_count(&self) -> usize {
        2 * self.cosets.count
    }

    /// Bytes of working memory that a thread needs for a layer, apart from its lists.
    pub fn scratch_bytes(&self, discs: u32) -> u64 {
        ((1_u64 << discs) / 8 * self.plane_count() as u64).max(1 << 16)
    }

    /// Working memory for a layer.
    pub fn scratch(&self, discs: u32) -> Scratch {
        let words = (1_usize << discs).div_ceil(64);
        Scratch {
            planes: vec![vec![0; words]; self.plane_count()],
            used: 0,
            step: Step::new(),
            origins: Vec::new(),
            board: Spread::new(&[]),
            keys: Vec::new(),
            must_pass: Vec::new(),
            passed: Vec::new(),
            sources: vec![Vec::new(); self.plane_count()],
        }
    }

    /// The start.
    pub fn root<K: Kernel>(&self, kernel: K, scratch: &mut Scratch) -> Reached {
        let (player, opponent) = self.start;
        let target = Target::new(self.grid, player | opponent);
        let colouring = super::grid::extract(player, target.set);
        self.reach(&target, colouring, 1, scratch);
        self.finish(kernel, &target, scratch)
    }

    /// What is reachable with a canonical set from the layer before, if anything is.
    pub fn pull<K: Kernel>(
        &self,
        kernel: K,
        before: &Layer,
        index: &SetIndex,
        set: u32,
        scratch: &mut Scratch,
    ) -> Option<Reached> {
        let target = Target::new(self.grid, set);
        let mut ways = std::mem::take(&mut scratch.origins);
        origins(self.grid, index, set, &mut ways);
        for origin in &ways {
            let from = before.sets[origin.place];
            scratch.step.set(self.grid, from, origin.square, set, origin.map);
            if !scratch.step.is_empty() {
                self.play(before.words(origin.place), origin.map, &target, scratch);
            }
        }
        scratch.origins = ways;
        (scratch.used != 0).then(|| self.finish(kernel, &target, scratch))
    }

    /// Plays the step of the scratch from every source of a set.
    fn play(&self, sources: &[u16], map: usize, target: &Target, scratch: &mut Scratch) {
        let (mut chunk, mut arisen, mut places) = ([0; CHUNK], [0; CHUNK], [0; CHUNK]);
        let mut rest = sources;
        while let Some((&plane, list)) = rest.split_first() {
            let planes = self.cosets.moved(other_side(1 << plane), map);
            let mut reader = ListReader::new(list);
            loop {
                let count = reader.fill(&mut chunk);
                if count == 0 {
                    break;
                }
                let legal = scratch.step.play(&chunk, count, &mut arisen, &mut places);
                if target.is_trivial() {
                    if legal != 0 {
                        scratch.used |= planes;
                        let plane = &mut scratch.planes[planes.trailing_zeros() as usize];
                        for &colouring in &arisen[..legal] {
                            plane[colouring as usize / 64] |= 1 << (colouring % 64);
                        }
                    }
                } else {
                    for &colouring in &arisen[..legal] {
                        self.reach(target, colouring, planes, scratch);
                    }
                }
            }
            rest = reader.rest();
        }
    }

    /// The canonical image of a colouring of a set, the planes that it has if the colouring has
    /// these, and the number of maps that leave it as it is.
    fn canonical(&self, target: &Target, colouring: u32, planes: Planes) -> (u32, Planes, u64) {
        if target.is_trivial() {
            return (colouring, planes, 1);
        }
        let (mut least, mut all, mut fixed) = (u32::MAX, 0, 0);
        for (map, image) in target.images(colouring) {
            if image < least {
                (least, all, fixed) = (image, 0, 0);
            }
            if image == least {
                all |= self.cosets.moved(planes, self.grid.inverse(map));
                fixed += 1;
            }
        }
        (least, all, fixed)
    }

    /// Marks one position.
    fn reach(&self, target: &Target, colouring: u32, planes: Planes, scratch: &mut Scratch) {
        let (colouring, planes, _) = self.canonical(target, colouring, planes);
        scratch.used |= planes;
        for plane in bits(planes.into()) {
            scratch.planes[plane as usize][colouring as usize / 64] |= 1 << (colouring % 64);
        }
    }

    /// Makes lists and counts of what is marked, and clears it.
    fn finish<K: Kernel>(&self, kernel: K, target: &Target, scratch: &mut Scratch) -> Reached {
        let mut squares = [0; 32];
        for (to, square) in squares.iter_mut().zip(bits(target.set)) {
            *to = self.grid.to_board(1 << square);
        }
        scratch.board.set(&squares);
        let mut counts = Counts::default();
        self.scan(kernel, target, &mut counts, scratch);
        self.add_passed(&mut counts, scratch);
        let mut keys = Vec::with_capacity(scratch.keys.len() + scratch.must_pass.len() + 16);
        push_list(&mut keys, &scratch.keys);
        keys.extend_from_slice(&scratch.must_pass);
        let (mut sources, mut source_count) = (Vec::new(), 0);
        for (plane, list) in (0_u16..).zip(&mut scratch.sources) {
            if !list.is_empty() {
                sources.push(plane);
                push_list(&mut sources, list);
                source_count += list.len() as u32;
                list.clear();
            }
        }
        for plane in bits(scratch.used.into()) {
            scratch.planes[plane as usize].fill(0);
        }
        scratch.used = 0;
        let count = scratch.keys.len() as u32;
        Reached { set: target.set, count, keys, source_count, sources, counts }
    }

    /// Goes through the marked positions in rising order.
    fn scan<K: Kernel>(
        &self,
        kernel: K,
        target: &Target,
        counts: &mut Counts,
        scratch: &mut Scratch,
    ) {
        scratch.keys.clear();
        scratch.must_pass.clear();
        scratch.passed.clear();
        let used: Vec<usize> = bits(scratch.used.into()).map(|plane| plane as usize).collect();
        let occupied = self.grid.to_board(target.set);
        let full = super::grid::ones(target.set.count_ones());
        for word in 0..scratch.planes[0].len() {
            let mut rest = used.iter().fold(0, |set, &plane| set | scratch.planes[plane][word]);
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                let colouring = 64 * word as u32 + bit;
                let planes = used.iter().fold(0, |set: Planes, &plane| {
                    set | ((scratch.planes[plane][word] >> bit & 1) as Planes) << plane
                });
                let fixed = match target.is_trivial() {
                    true => 1,
                    false => self.canonical(target, colouring, planes).2,
                };
                let positions = self.cosets.positions(planes, fixed);
                counts.placed += positions;
                counts.all += positions;
                let player = scratch.board.apply(colouring);
                let options =
                    self.shape.options(player, occupied ^ player, (), |p, o| kernel.moves(p, o));
                if options.places != 0 {
                    for plane in bits(planes.into()) {
                        scratch.sources[plane as usize].push(colouring);
                    }
                }
                if options.pass {
                    let turned = other_side(planes);
                    scratch.passed.push(self.canonical(target, full ^ colouring, turned));
                } else {
                    counts.resolved += positions;
                }
                let place = scratch.keys.len();
                if place.is_multiple_of(16) {
                    scratch.must_pass.push(0);
                }
                scratch.must_pass[place / 16] |= u16::from(options.pass) << (place % 16);
                scratch.keys.push(colouring);
            }
        }
    }

    /// Adds the positions after a pass to the counts and to the sources.
    fn add_passed(&self, counts: &mut Counts, scratch: &mut Scratch) {
        if scratch.passed.is_empty() {
            return;
        }
        for &(colouring, planes, fixed) in &scratch.passed {
            let (word, bit) = (colouring as usize / 64, colouring % 64);
            let placed = bits(scratch.used.into()).fold(0, |set: Planes, plane| {
                set | ((scratch.planes[plane as usize][word] >> bit & 1) as Planes) << plane
            });
            let before = self.cosets.positions(placed, fixed);
            let after = self.cosets.positions(placed | planes, fixed);
            let new = Positions {
                colored: after.colored - before.colored,
                mover: after.mover - before.mover,
                canonical: after.canonical - before.canonical,
            };
            counts.all += new;
            // After a pass a placement is possible.
            counts.resolved += new;
            for plane in bits((planes & !placed).into()) {
                scratch.sources[plane as usize].push(colouring);
            }
        }
        for list in &mut scratch.sources {
            // Two rising runs, or one rising and one falling: what this sort is made for.
            list.sort();
        }
    }
}
