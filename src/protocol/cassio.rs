//! Cassio's Othello Engine Protocol. Source: cassio.free.fr/engine-protocol.htm.
//!
//! A precision of 100 with a depth that reaches the end marks a proof; guesses are given with 99.
//! Results are from the view of the side to move, whose letter stands before them.

use super::engine::{Budget, Engine};
use super::inbox::{Inbox, Reaction};
use super::{Settings, Wire};
use crate::board::{Color, GameSpec, Move, Setup};
use crate::notation::{self, Entry, Location};
use crate::search::{Bounds, SolverError, Task};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The mark of every command.
const MARK: &str = "ENGINE-PROTOCOL";

/// The precision that is given with guesses.
const GUESS: u32 = 99;

/// An output that the reader of commands shares, for signs of life.
#[derive(Clone)]
struct Output(Arc<Mutex<Box<dyn Write + Send>>>);

impl Output {
    fn say(&self, line: &str) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        writeln!(output, "{line}")?;
        output.flush()
    }
}

/// What a search is asked.
struct Request {
    entry: Entry,
    window: (i32, i32),
    /// Plies; `None` to the end of the game.
    depth: Option<u32>,
}

struct Session {
    engine: Engine,
    inbox: Inbox,
    output: Output,
    /// Nodes and time of the last search.
    last: (u64, Duration),
}

/// Serves one client to the end of its input or `quit`.
///
/// # Errors
/// When the engine cannot be built (outer), or the output cannot be written (inner).
pub fn run(game: &GameSpec, settings: Settings, wire: Wire) -> Result<io::Result<()>, SolverError> {
    let Wire { input, output, end } = wire;
    let output = Output(Arc::new(Mutex::new(output)));
    let signs = output.clone();
    let react = move |line: &str, busy: bool| {
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            // When nobody reads any more, the session notices by itself.
            [] => {
                let _ = signs.say(if busy { "ok." } else { "ready." });
                Reaction::Done
            }
            [MARK, "stop"] if busy => Reaction::Interrupt,
            [MARK, "quit"] => Reaction::Interrupt,
            _ => Reaction::Wait,
        }
    };
    let mut session = Session {
        engine: Engine::new(game, settings)?,
        inbox: Inbox::new(input, end, react),
        output,
        last: (0, Duration::ZERO),
    };
    Ok(session.serve())
}

impl Session {
    fn serve(&mut self) -> io::Result<()> {
        while let Some(line) = self.inbox.take() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let ready = match words[..] {
                [MARK, "quit"] => return self.output.say("bye bye."),
                [MARK, "feed-hash", ..] | [MARK, "empty-hash"] => false,
                // The search that it ended has said so.
                [MARK, "stop"] => false,
                [MARK, command, ref arguments @ ..] => {
                    self.obey(command, arguments)?;
                    true
                }
                _ => true,
            };
            self.inbox.finish();
            if ready {
                self.output.say("ready.")?;
            }
        }
        Ok(())
    }

    fn obey(&mut self, command: &str, arguments: &[&str]) -> io::Result<()> {
        match command {
            "get-version" => {
                self.output.say(&format!("version: obverse {}", env!("CARGO_PKG_VERSION")))
            }
            "get-search-infos" => {
                let (nodes, time) = self.last;
                self.output.say(&format!("node {nodes}, time {:.3}", time.as_secs_f64()))
            }
            "endgame-search" => self.search(arguments, true),
            "midgame-search" => self.search(arguments, false),
            // `init`, `new-position`, and what is unknown.
            _ => Ok(()),
        }
    }

    fn search(&mut self, arguments: &[&str], to_the_end: bool) -> io::Result<()> {
        let result = self.read(arguments, to_the_end);
        let Request { entry, window, depth } = match result {
            Ok(request) => request,
            Err(why) => return self.output.say(&format!("error: {why}")),
        };
        let empties = entry.position.empties(&self.engine.game()).len();
        let line = if depth.is_none_or(|depth| depth >= empties) {
            self.solve(&entry, window)
        } else {
            self.guess(&entry, depth.unwrap_or(empties))
        };
        self.output.say(&line)
    }

    /// `POSITION ALPHA BETA [DEPTH] PRECISION`.
    fn read(&self, arguments: &[&str], to_the_end: bool) -> Result<Request, String> {
        let count = if to_the_end { 4 } else { 5 };
        if arguments.len() != count {
            return Err(format!("{count} arguments are expected, not {}", arguments.len()));
        }
        let game = self.engine.game();
        let location = Location { source: "position".to_owned(), line: None };
        let entry = notation::parse_entry(arguments[0], location, &game, &Setup::start(&game))
            .map_err(|error| error.to_string())?;
        let number = |text: &str| {
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| format!("'{text}' is no number"))
        };
        let (alpha, beta) = (number(arguments[1])?, number(arguments[2])?);
        let max = game.max_score();
        let window = (
            (alpha.floor() as i32).clamp(-max - 1, max),
            (beta.ceil() as i32).clamp(-max, max + 1),
        );
        if window.0 >= window.1 {
            return Err("alpha is not below beta".to_owned());
        }
        let depth = if to_the_end { None } else { Some(number(arguments[3])?.max(1.0) as u32) };
        number(arguments[count - 1])?;
        Ok(Request { entry, window, depth })
    }

    /// The exact answer, or what is proved when the search is stopped.
    fn solve(&mut self, entry: &Entry, window: (i32, i32)) -> String {
        let task = Task {
            position: entry.position,
            window: Some(window),
            all_moves: false,
            time_limit: None,
            node_limit: None,
        };
        let Self { engine, inbox, .. } = self;
        let solution = inbox.search(|cancel| engine.solve(&task, cancel));
        self.last = (solution.nodes, solution.elapsed);
        let Bounds { lower, upper } = solution.bounds;
        let empties = entry.position.empties(&self.engine.game()).len();
        let best =
            solution.best.or_else(|| entry.position.moves(&self.engine.game()).first().copied());
        let bounds = (f64::from(lower), f64::from(upper));
        self.result(entry, best, (empties, 100), bounds, &solution.pv)
    }

    fn guess(&mut self, entry: &Entry, depth: u32) -> String {
        // The client stops a search that takes too long.
        let budget = Budget { time: None, depth: Some(depth) };
        let Self { engine, inbox, .. } = self;
        let ranking = inbox.search(|cancel| engine.guess(&entry.position, budget, cancel));
        self.last = (ranking.nodes, ranking.elapsed);
        match ranking.lines.first() {
            Some(line) => {
                let eval = line.worth.discs();
                let how = (ranking.depth, GUESS);
                self.result(entry, ranking.best(), how, (eval, eval), &line.pv)
            }
            None => self.solve(entry, (-65, 65)),
        }
    }

    /// `POSITION, move F5, depth 12, @100%, B+4.00 <= v <= B+4.00, F5d6, node 123, time 0.12`.
    fn result(
        &self,
        entry: &Entry,
        best: Option<Move>,
        (depth, precision): (u32, u32),
        (lower, upper): (f64, f64),
        pv: &[Move],
    ) -> String {
        let game = self.engine.game();
        let text = entry.setup.text(&game).to_string().replace(' ', "");
        let name = |mv: Move| match mv {
            Move::Place(square) => square.to_string().to_ascii_uppercase(),
            Move::Pass => "PS".to_owned(),
        };
        let best = best.map_or("--".to_owned(), name);
        let side = if entry.setup.side == Color::Black { 'B' } else { 'W' };
        let pv: String = pv.iter().copied().map(name).collect();
        let (nodes, time) = self.last;
        format!(
            "{text}, move {best}, depth {depth}, @{precision}%, {side}{lower:+.2} <= v <= \
             {side}{upper:+.2}, {pv}, node {nodes}, time {:.3}",
            time.as_secs_f64()
        )
    }
}
