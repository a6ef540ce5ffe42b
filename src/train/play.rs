//! Games for training: random openings, play by a short look-ahead, exactly solved ends, and side
//! lines that leave the game by random moves, because a search meets many positions that good
//! play avoids.

use super::random::Random;
use crate::board::{Bitboard, Game, GameSpec, Move, Position, Standard, flip};
use crate::search::entry::Entry;
use crate::search::eval::{DISC, Evaluation, Judge};
use crate::search::layout::Layout;
use crate::search::{Cancel, Solver, SolverError, SolverOptions, Task};
use crate::with_kernel;
use std::fmt;

/// How games are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaySettings {
    /// Seed of all random choices.
    pub seed: u64,
    /// From this many empties on the game is solved.
    pub exact_empties: u32,
    /// Plies of the look-ahead that chooses a move, at least 1.
    pub depth: u32,
    /// Side lines of each game.
    pub branches: u32,
    /// Standard deviation of the noise added to every move's guess, in 1/16 disc.
    pub noise: i32,
}

impl fmt::Display for PlaySettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, exact_empties, depth, branches, noise } = self;
        write!(
            f,
            "seed={seed} exact={exact_empties} depth={depth} branches={branches} noise={noise}"
        )
    }
}

/// A stretch of play with the score it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Discs of the side to move at the beginning.
    pub player: u64,
    /// Discs of the other side.
    pub opponent: u64,
    /// Score at the end of the game, from the view of the side that moves first here.
    pub score: i8,
    /// The squares placed on; forced passes are left out.
    pub moves: Vec<u8>,
}

/// A position with its label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Discs of the side to move.
    pub player: u64,
    /// Discs of the other side.
    pub opponent: u64,
    /// Score at the end of the game, the mover's view.
    pub score: i8,
}

impl Line {
    /// The positions where somebody places a disc, and the last one; `None` when a move is not
    /// legal.
    pub fn samples(&self, squares: u64) -> Option<Vec<Sample>> {
        let mut samples = Vec::with_capacity(self.moves.len() + 1);
        let Self { mut player, mut opponent, mut score, .. } = *self;
        for &square in &self.moves {
            let square = u32::from(square);
            if flip::moves(player, opponent) & squares == 0 {
                (player, opponent, score) = (opponent, player, -score);
            }
            samples.push(Sample { player, opponent, score });
            let legal = square < 64 && flip::moves(player, opponent) & squares & 1 << square != 0;
            if !legal {
                return None;
            }
            let flipped = flip::flip(square, player, opponent);
            (player, opponent) = (opponent ^ flipped, player | flipped | 1 << square);
            score = -score;
        }
        Some(samples)
    }
}

/// Makes games of one board.
pub struct Table {
    game: GameSpec,
    settings: PlaySettings,
    layout: Layout,
    evaluation: Evaluation,
    solver: Solver,
}

/// Memory of the solver's table: the ends are small.
const HASH_BYTES: u64 = 16 << 20;

impl Table {
    /// A table where `evaluation` chooses the moves.
    ///
    /// # Errors
    /// When the solver cannot be had.
    pub fn new(
        game: &GameSpec,
        settings: PlaySettings,
        evaluation: Evaluation,
    ) -> Result<Self, SolverError> {
        let kernel = crate::kernel::Level::detect();
        let options = SolverOptions { threads: 1, hash_bytes: HASH_BYTES, kernel };
        let solver = Solver::with_evaluation(game, &options, evaluation.clone())?;
        Ok(Self { game: *game, settings, layout: Layout::new(game), evaluation, solver })
    }

    /// The lines of game number `number`; games do not depend on each other.
    pub fn play(&mut self, number: u64) -> Vec<Line> {
        let random = Random::new(self.settings.seed, number);
        with_kernel!(self.solver.options().kernel, |kernel| {
            match self.game.width() {
                6 => self.play_on(Standard::<6, 6>, kernel, random),
                _ => self.play_on(Standard::<8, 8>, kernel, random),
            }
        })
    }

    fn play_on<G: Game, K: Entry>(&mut self, rules: G, kernel: K, random: Random) -> Vec<Line> {
        let start = Position::start(&self.game);
        let seat = Seat {
            judge: Judge {
                game: rules,
                kernel,
                layout: &self.layout,
                evaluation: &self.evaluation,
            },
            settings: self.settings,
            solver: &mut self.solver,
            random,
        };
        seat.game((start.player.bits(), start.opponent.bits()))
    }
}

/// Discs of the side to move and of the other one.
type Discs = (u64, u64);

/// One game in progress.
struct Seat<'a, G, K> {
    judge: Judge<'a, G, K>,
    settings: PlaySettings,
    solver: &'a mut Solver,
    random: Random,
}

impl<G: Game, K: Entry> Seat<'_, G, K> {
    /// A random opening, the game from it, and its side lines.
    fn game(mut self, start: Discs) -> Vec<Line> {
        let mut lines = Vec::new();
        let room = self.empties(start) - self.settings.exact_empties;
        // Most openings are short; the others end anywhere.
        let end = if self.random.below(4) == 0 { room } else { room / 3 };
        let plies = 2 + self.random.below(end.max(3) - 2);
        let Some(opening) = self.random_moves(start, plies) else { return lines };
        let main = self.line(opening);
        let way: Vec<Discs> = main
            .samples(self.judge.game.squares())
            .unwrap_or_default()
            .into_iter()
            .map(|sample| (sample.player, sample.opponent))
            .filter(|&discs| self.empties(discs) > self.settings.exact_empties + 1)
            .collect();
        lines.push(main);
        if way.is_empty() {
            return lines;
        }
        for _ in 0..self.settings.branches {
            let from = way[self.random.below(way.len() as u32) as usize];
            let plies = 1 + self.random.below(3);
            if let Some(discs) = self.random_moves(from, plies) {
                lines.push(self.line(discs));
            }
        }
        lines
    }

    fn empties(&self, (player, opponent): Discs) -> u32 {
        (self.judge.game.squares() & !(player | opponent)).count_ones()
    }

    /// The squares the side to move may place on, after a forced pass if there is one; `None`
    /// when the game is over.
    fn turn(&self, (player, opponent): Discs) -> Option<(Discs, u64)> {
        let free = self.judge.game.squares() & !(player | opponent);
        let moves = self.judge.kernel.moves(player, opponent) & free;
        if moves != 0 {
            return Some(((player, opponent), moves));
        }
        let moves = self.judge.kernel.moves(opponent, player) & free;
        (moves != 0).then_some(((opponent, player), moves))
    }

    fn place(&self, (player, opponent): Discs, square: u32) -> Discs {
        let flipped = self.judge.kernel.flip(square, player, opponent);
        (opponent ^ flipped, player | flipped | 1 << square)
    }

    /// The position some random moves later; `None` when the game ends or comes so near to its
    /// end that it is solved anyway.
    fn random_moves(&mut self, mut discs: Discs, plies: u32) -> Option<Discs> {
        for _ in 0..plies {
            if self.empties(discs) <= self.settings.exact_empties {
                break;
            }
            let (turn, moves) = self.turn(discs)?;
            let square = self.random.square_of(moves);
            discs = self.place(turn, square);
        }
        self.turn(discs).map(|(turn, _)| turn)
    }

    /// The best move by look-ahead, with some noise.
    fn choose(&mut self, discs: Discs, moves: u64) -> u32 {
        let bound = 100 * DISC;
        let mut list: Vec<(i32, u32, Discs)> = Vec::new();
        for square in Bitboard::new(moves) {
            let next = self.place(discs, square.index());
            list.push((self.judge.guess(next.0, next.1), square.index(), next));
        }
        list.sort_unstable();
        let mut best = (-bound, list[0].1);
        for (_, square, (player, opponent)) in list {
            let noise = self.random.bell(self.settings.noise);
            let window = (-bound, noise - best.0);
            let depth = self.settings.depth - 1;
            let guess = noise - self.judge.look_ahead(player, opponent, depth, window);
            best = best.max((guess, square));
        }
        best.1
    }

    /// Play from a position to the end of the game. The position must offer a move.
    fn line(&mut self, start: Discs) -> Line {
        let mut moves = Vec::new();
        let mut discs = start;
        let mut ours = true;
        let score = loop {
            let Some((turn, set)) = self.turn(discs) else {
                break self.judge.game.final_score(discs.0, discs.1);
            };
            if turn != discs {
                (discs, ours) = (turn, !ours);
            }
            if self.empties(discs) <= self.settings.exact_empties {
                break self.solve(discs, &mut moves);
            }
            let square = self.choose(discs, set);
            moves.push(square as u8);
            (discs, ours) = (self.place(discs, square), !ours);
        };
        let score = if ours { score } else { -score };
        Line { player: start.0, opponent: start.1, score: score as i8, moves }
    }

    /// The exact score, with the moves of best play added to `moves`.
    fn solve(&mut self, (player, opponent): Discs, moves: &mut Vec<u8>) -> i32 {
        let position = Position {
            player: Bitboard::new(player),
            opponent: Bitboard::new(opponent),
            extra: Default::default(),
        };
        let task =
            Task { position, window: None, all_moves: false, time_limit: None, node_limit: None };
        let solution = self.solver.solve(&task, &Cancel::default(), &());
        moves.extend(solution.pv.iter().filter_map(|mv| match mv {
            Move::Place(square) => Some(square.index() as u8),
            Move::Pass => None,
        }));
        solution.bounds.lower
    }
}
