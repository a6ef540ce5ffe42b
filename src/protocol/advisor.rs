//! The best move by guesses, where a position cannot be solved: iterative deepening over the
//! evaluation that orders the moves of the exact search. Nothing of it is ever called exact.

use crate::board::game::State;
use crate::board::{Game, GameSpec, Move, Position, Shape, Square, Standard};
use crate::kernel::Level;
use crate::search::Cancel;
use crate::search::entry::Entry;
use crate::search::eval::{DISC, Evaluation, Judge};
use crate::search::layout::Layout;
use crate::with_kernel;
use std::time::Instant;

/// Slots of the table, a power of two.
const SLOTS: usize = 1 << 18;

/// Plies above the leaves that are searched without table and ordering.
const SHALLOW: u32 = 2;

/// Nodes between two looks at the clock; a shallow search below one of them takes microseconds.
const POLL: u64 = 64;

/// Larger than every evaluation.
const INFINITE: i32 = 1 << 20;

/// A move with what a search by guesses makes of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Guessed {
    /// The moves of the expected line, this one first.
    pub pv: Vec<Move>,
    /// Evaluation in discs, the mover's view.
    pub eval: f64,
}

/// The best moves at one depth.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ranking {
    /// As many as were asked for, the best first.
    pub moves: Vec<Guessed>,
    /// Plies that were searched full-width.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Plies.
    pub depth: u32,
    /// The moment to stop.
    pub deadline: Option<Instant>,
    /// Somebody else's wish.
    pub cancel: &'a Cancel,
}

impl Limits<'_> {
    fn reached(&self) -> bool {
        self.cancel.is_cancelled() || self.deadline.is_some_and(|end| Instant::now() >= end)
    }
}

/// A slot of the table: a position, the depth of its search and what came of it.
#[derive(Clone, Copy, Default)]
struct Slot {
    player: u64,
    opponent: u64,
    state: u16,
    best: u8,
    depth: u8,
    lower: i32,
    upper: i32,
}

/// Searches by guesses; keeps its table from question to question of one game.
pub struct Advisor {
    game: GameSpec,
    level: Level,
    layout: Layout,
    evaluation: Evaluation,
    table: Vec<Slot>,
}

impl Advisor {
    /// An advisor for a game on a kernel level of this machine.
    pub fn new(game: &GameSpec, level: Level) -> Self {
        Self {
            game: *game,
            level,
            layout: Layout::new(game),
            evaluation: Evaluation::of(game),
            table: vec![Slot::default(); SLOTS],
        }
    }

    /// The `width` best moves, reported at each depth; at least one ply is always searched. A
    /// finished game has none.
    pub fn rank(
        &mut self,
        position: &Position,
        width: usize,
        limits: &Limits<'_>,
        report: &mut dyn FnMut(&Ranking),
    ) -> Ranking {
        let spec = self.game;
        self.table.fill(Slot::default());
        with_kernel!(self.level, |kernel| {
            match Shape::new(&spec) {
                None => self.rank_on(spec, kernel, position, width, limits, report),
                Some(shape) if !shape.is_classic() => {
                    self.rank_on(shape, kernel, position, width, limits, report)
                }
                Some(shape) => match (spec.width(), spec.height()) {
                    (8, 8) => {
                        self.rank_on(Standard::<8, 8>, kernel, position, width, limits, report)
                    }
                    _ => self.rank_on(shape, kernel, position, width, limits, report),
                },
            }
        })
    }

    fn rank_on<G: Game, K: Entry>(
        &mut self,
        game: G,
        kernel: K,
        position: &Position,
        width: usize,
        limits: &Limits<'_>,
        report: &mut dyn FnMut(&Ranking),
    ) -> Ranking {
        let judge = Judge { game, kernel, layout: &self.layout, evaluation: &self.evaluation };
        let table = &mut self.table;
        let mut search = Search { judge, table, limits, nodes: 0, first: true, stopped: false };
        let root = Spot {
            player: position.player.bits(),
            opponent: position.opponent.bits(),
            extra: G::Extra::from_extra(position.extra),
        };
        let mut list = search.children(root);
        let mut best = Ranking::default();
        let last = limits.depth.clamp(1, search.empties(root).max(1) + 1);
        for depth in 1..=last {
            let Some(moves) = search.rank_root(&mut list, width, depth) else { break };
            best = Ranking { moves, depth, nodes: search.nodes };
            report(&best);
            search.first = false;
            if limits.reached() {
                break;
            }
        }
        best.nodes = search.nodes;
        best
    }
}

/// A position in the search's own form.
#[derive(Clone, Copy)]
struct Spot<E> {
    player: u64,
    opponent: u64,
    extra: E,
}

/// A move, the position after it, and a guess of its worth for the mover.
#[derive(Clone, Copy)]
struct Child<E> {
    square: u8,
    spot: Spot<E>,
    guess: i32,
}

/// The square that stands for a pass.
const PASS: u8 = 64;

fn to_move(square: u8) -> Move {
    Square::new(u32::from(square)).map_or(Move::Pass, Move::Place)
}

struct Search<'a, G, K> {
    judge: Judge<'a, G, K>,
    table: &'a mut [Slot],
    limits: &'a Limits<'a>,
    nodes: u64,
    /// The first depth is searched whatever the limits say.
    first: bool,
    stopped: bool,
}

impl<G: Game, K: Entry> Search<'_, G, K> {
    fn empties(&self, spot: Spot<G::Extra>) -> u32 {
        (self.judge.game.squares() & !(spot.player | spot.opponent)).count_ones()
    }

    /// The legal moves with their guesses, the best first.
    fn children(&self, spot: Spot<G::Extra>) -> Vec<Child<G::Extra>> {
        let Judge { game, kernel, .. } = self.judge;
        let Spot { player, opponent, extra } = spot;
        let options = game.options(player, opponent, extra, |p, o| kernel.moves(p, o));
        let free = game.is_free_phase(player, opponent);
        let mut list = Vec::with_capacity(options.places.count_ones() as usize + 1);
        let mut places = options.places;
        while places != 0 {
            let square = places.trailing_zeros();
            places &= places - 1;
            let flipped = if free { 0 } else { kernel.flip(square, player, opponent) };
            let (next, other) = (opponent ^ flipped, player | flipped | 1 << square);
            let spot = Spot { player: next, opponent: other, extra: game.after_place(extra) };
            let guess = -self.judge.guess(next, other);
            list.push(Child { square: square as u8, spot, guess });
        }
        if options.pass {
            let spot = Spot { player: opponent, opponent: player, extra: game.after_pass(extra) };
            let guess = -self.judge.guess(opponent, player);
            list.push(Child { square: PASS, spot, guess });
        }
        list.sort_by_key(|child| -child.guess);
        list
    }

    /// Searches the root's moves to a depth: the best ones, which then stand first in the list.
    /// `None` when stopped.
    fn rank_root(
        &mut self,
        list: &mut [Child<G::Extra>],
        width: usize,
        depth: u32,
    ) -> Option<Vec<Guessed>> {
        let mut ranked: Vec<(i32, usize)> = Vec::new();
        for (i, child) in list.iter().enumerate() {
            // The worst evaluation that still counts.
            let alpha = if ranked.len() < width { -INFINITE } else { ranked[width - 1].0 };
            let mut eval = -INFINITE;
            if ranked.len() >= width {
                eval = -self.node(child.spot, depth - 1, -alpha - 1, -alpha);
            }
            if ranked.len() < width || eval > alpha {
                eval = -self.node(child.spot, depth - 1, -INFINITE, -alpha);
            }
            if self.stopped {
                return None;
            }
            if ranked.len() < width || eval > alpha {
                let place = ranked.partition_point(|&(other, _)| other >= eval);
                ranked.insert(place, (eval, i));
                ranked.truncate(width);
            }
        }
        let guessed = ranked.iter().map(|&(eval, i)| {
            let mut pv = vec![to_move(list[i].square)];
            self.follow(list[i].spot, depth - 1, &mut pv);
            Guessed { pv, eval: f64::from(eval) / f64::from(DISC) }
        });
        let guessed = guessed.collect();
        for (rank, &(_, i)) in ranked.iter().enumerate() {
            list[i].guess = INFINITE - rank as i32;
        }
        list.sort_by_key(|child| -child.guess);
        Some(guessed)
    }

    /// The line that the table remembers.
    fn follow(&self, mut spot: Spot<G::Extra>, depth: u32, pv: &mut Vec<Move>) {
        for _ in 0..depth {
            let slot = self.table[self.index(spot)];
            let children = self.children(spot);
            let known = slot.player == spot.player
                && slot.opponent == spot.opponent
                && slot.state == spot.extra.pack()
                && slot.depth > 0;
            let Some(child) = children.iter().find(|child| known && child.square == slot.best)
            else {
                return;
            };
            pv.push(to_move(child.square));
            spot = child.spot;
        }
    }

    fn index(&self, spot: Spot<G::Extra>) -> usize {
        let mixed = spot.player.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ spot.opponent.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(31)
            ^ u64::from(spot.extra.pack()).wrapping_mul(0x1656_67b1_9e37_79f9);
        (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 40) as usize & (SLOTS - 1)
    }

    /// Fail-soft alpha-beta; 0 when stopped.
    fn node(&mut self, spot: Spot<G::Extra>, depth: u32, alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL) && !self.first && self.limits.reached() {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        if G::PLAIN && depth <= SHALLOW {
            return self.judge.look_ahead(spot.player, spot.opponent, depth, (alpha, beta));
        }
        let mut list = self.children(spot);
        if list.is_empty() {
            return self.judge.game.final_score(spot.player, spot.opponent) * DISC;
        }
        if depth == 0 {
            return self.judge.guess(spot.player, spot.opponent);
        }
        if let [child] = list[..]
            && child.square == PASS
        {
            // A forced pass takes nothing off the depth; the optional ones do, so this ends.
            return -self.node(child.spot, depth, -beta, -alpha);
        }
        let index = self.index(spot);
        let slot = self.table[index];
        let known = slot.player == spot.player
            && slot.opponent == spot.opponent
            && slot.state == spot.extra.pack();
        if known && u32::from(slot.depth) == depth {
            if slot.lower >= beta {
                return slot.lower;
            }
            if slot.upper <= alpha || slot.lower == slot.upper {
                return slot.upper;
            }
        }
        if let Some(place) = list.iter().position(|child| known && child.square == slot.best) {
            list[..=place].rotate_right(1);
        }
        let (score, best) = self.search_list(&list, depth, alpha, beta);
        if !self.stopped {
            let (lower, upper) = match score {
                score if score >= beta => (score, INFINITE),
                score if score <= alpha => (-INFINITE, score),
                score => (score, score),
            };
            let Spot { player, opponent, extra } = spot;
            let (state, depth) = (extra.pack(), depth as u8);
            self.table[index] = Slot { player, opponent, state, best, depth, lower, upper };
        }
        score
    }

    /// The best score of a list of moves and its square: a principal variation search.
    fn search_list(
        &mut self,
        list: &[Child<G::Extra>],
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> (i32, u8) {
        let (mut best, mut square) = (-INFINITE, list[0].square);
        for child in list {
            let floor = alpha.max(best);
            let mut score = -INFINITE;
            if best > -INFINITE {
                score = -self.node(child.spot, depth - 1, -floor - 1, -floor);
            }
            if best == -INFINITE || (score > floor && score < beta) {
                score = -self.node(child.spot, depth - 1, -beta, -floor);
            }
            if self.stopped {
                return (0, square);
            }
            if score > best {
                (best, square) = (score, child.square);
                if best >= beta {
                    break;
                }
            }
        }
        (best, square)
    }
}
