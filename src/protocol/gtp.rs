//! GTP 2, the Go Text Protocol, for Othello: its own commands, GoGui's rule commands, Quarry's
//! `set_game`, and `obverse-` extensions.
//!
//! Row 1 is the upper row, as everywhere in Othello; `gogui-rules_board` gives the rows from the
//! last to the first, because GoGui takes the first one for the top. Answers to `genmove` do not
//! say whether they are exact; `obverse-think` does.

use super::clock::Clock;
use super::engine::{Budget, Engine};
use super::inbox::{Inbox, Reaction};
use super::play::{Place, Play, Refusal};
use super::{Settings, Wire};
use crate::board::{Color, GameSpec, Move, Square};
use crate::notation::wthor::Names;
use crate::notation::{self, GameFormat, Location};
use crate::report::diagram;
use crate::search::SolverError;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The commands, in the order of `list_commands`.
const COMMANDS: [&str; 32] = [
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "gg-undo",
    "gogui-interrupt",
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_final_result",
    "gogui-rules_game_id",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "known_command",
    "komi",
    "list_commands",
    "list_games",
    "loadsgf",
    "name",
    "obverse-game",
    "obverse-position",
    "obverse-think",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "set_game",
    "set_level",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// Names of the game for `set_game`.
const GAMES: [&str; 2] = ["Othello", "Reversi"];

struct Session {
    engine: Engine,
    inbox: Inbox,
    output: Box<dyn Write + Send>,
    play: Play,
    depth: Option<u32>,
    /// The clocks of Black and White, once `time_settings` named them.
    clocks: Option<[Clock; 2]>,
}

/// An answer, or the message of an error.
type Reply = Result<String, String>;

/// Serves one client to the end of its input or `quit`.
///
/// # Errors
/// When the engine cannot be built (outer), or the output cannot be written (inner).
pub fn run(game: &GameSpec, settings: Settings, wire: Wire) -> Result<io::Result<()>, SolverError> {
    let Wire { input, output, end } = wire;
    let react = |line: &str, _busy| match line.trim() {
        // GoGui's way to end a command; a comment to everybody else.
        "# interrupt" => Reaction::Interrupt,
        _ => Reaction::Wait,
    };
    let mut session = Session {
        engine: Engine::new(game, settings)?,
        inbox: Inbox::new(input, end, react),
        output,
        play: Play::new(game),
        depth: None,
        clocks: None,
    };
    Ok(session.serve())
}

/// A line as the standard cleans it: control characters away, a comment cut, tabs as blanks.
fn clean(line: &str) -> String {
    let line = line.split('#').next().unwrap_or_default();
    let blank = |c: char| if c == '\t' { ' ' } else { c };
    line.chars().map(blank).filter(|c| !c.is_control()).collect()
}

fn read_color(text: &str) -> Result<Color, String> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Color::Black),
        "w" | "white" => Ok(Color::White),
        _ => Err("invalid color".to_owned()),
    }
}

fn read_vertex(text: &str) -> Result<Move, String> {
    if text.eq_ignore_ascii_case("pass") {
        return Ok(Move::Pass);
    }
    text.parse::<Square>().map(Move::Place).map_err(|_| "invalid coordinate".to_owned())
}

fn write_vertex(mv: Move) -> String {
    match mv {
        Move::Place(square) => square.to_string().to_ascii_uppercase(),
        Move::Pass => "pass".to_owned(),
    }
}

fn color_name(color: Color) -> &'static str {
    if color == Color::Black { "black" } else { "white" }
}

fn refusal(refusal: Refusal, side: Color) -> String {
    match refusal {
        Refusal::Over => "illegal move: the game is over".to_owned(),
        Refusal::Turn => format!("illegal move: it is not {}'s turn", color_name(side)),
        Refusal::Illegal => "illegal move".to_owned(),
    }
}

fn number<T: std::str::FromStr>(arguments: &[&str], at: usize) -> Result<T, String> {
    let text = arguments.get(at).ok_or("syntax error: a number is missing")?;
    text.parse().map_err(|_| format!("syntax error: '{text}' is not such a number"))
}

fn seconds(arguments: &[&str], at: usize) -> Result<Duration, String> {
    let value: f64 = number(arguments, at)?;
    Duration::try_from_secs_f64(value).map_err(|_| "syntax error: a time is expected".to_owned())
}

impl Session {
    fn serve(&mut self) -> io::Result<()> {
        while let Some(line) = self.inbox.take() {
            let line = clean(&line);
            let mut words = line.split_whitespace().peekable();
            let is_id = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
            let id = words.next_if(is_id).unwrap_or_default().to_owned();
            let Some(command) = words.next() else {
                self.inbox.finish();
                continue;
            };
            let arguments: Vec<&str> = words.collect();
            let rest = line.split_once(command).map_or("", |(_, rest)| rest.trim());
            let reply = self.obey(command, &arguments, rest);
            let (mark, text) = match reply {
                Ok(text) => ('=', text),
                Err(text) => ('?', text),
            };
            write!(self.output, "{}\n\n", format!("{mark}{id} {text}").trim_end())?;
            self.output.flush()?;
            self.inbox.finish();
            if command == "quit" {
                break;
            }
        }
        Ok(())
    }

    fn obey(&mut self, command: &str, arguments: &[&str], rest: &str) -> Reply {
        let done = Ok(String::new());
        match command {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok("obverse".to_owned()),
            "version" => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "known_command" => {
                let known = arguments.first().is_some_and(|name| COMMANDS.contains(name));
                Ok(known.to_string())
            }
            "quit" | "gogui-interrupt" => done,
            "list_games" => Ok(GAMES.join("\n")),
            "set_game" => self.set_game(arguments),
            "boardsize" => self.board_size(arguments),
            "obverse-game" => self.change_game(rest),
            "obverse-position" => self.set_position(rest),
            "clear_board" => {
                self.play = Play::new(self.play.game());
                done
            }
            "komi" => number::<f64>(arguments, 0).and(done),
            "set_level" => {
                self.depth = Some(number::<u32>(arguments, 0)?.max(1));
                done
            }
            "play" => self.make(arguments),
            "undo" => self.undo(1),
            "gg-undo" => self.undo(if arguments.is_empty() { 1 } else { number(arguments, 0)? }),
            "genmove" => self.generate(arguments, true),
            "reg_genmove" => self.generate(arguments, false),
            "obverse-think" => self.think_aloud(),
            "time_settings" => self.time_settings(arguments),
            "time_left" => self.time_left(arguments),
            "loadsgf" => self.load(arguments),
            "showboard" => {
                Ok(format!("\n{}", diagram::draw(self.play.game(), &self.play.setup()).trim_end()))
            }
            "final_score" => self.final_score(),
            _ => self.rule_command(command),
        }
    }

    /// GoGui's questions about the rules.
    fn rule_command(&self, command: &str) -> Reply {
        let game = self.play.game();
        match command {
            "gogui-rules_game_id" => Ok("Othello".to_owned()),
            "gogui-rules_board_size" if game.width() == game.height() => {
                Ok(game.width().to_string())
            }
            "gogui-rules_board_size" => Err("the board is no square".to_owned()),
            "gogui-rules_board" => Ok(self.board()),
            "gogui-rules_side_to_move" => Ok(color_name(self.play.now().side).to_owned()),
            "gogui-rules_legal_moves" => {
                let moves = self.play.now().position.moves(game);
                Ok(moves.into_iter().map(write_vertex).collect::<Vec<_>>().join(" "))
            }
            "gogui-rules_final_result" => Ok(match self.play.black_score() {
                None => String::new(),
                Some(score) => match game.winner(score) {
                    Some(winner) => format!("{winner} wins by {}", score.abs()),
                    None => "draw".to_owned(),
                },
            }),
            _ => Err("unknown command".to_owned()),
        }
    }

    /// The rows from the last to the first.
    fn board(&self) -> String {
        let (game, setup) = (self.play.game(), self.play.setup());
        let letter = |square| match setup.letter(game, square) {
            '-' => '.',
            letter => letter,
        };
        let row = |row: u32| {
            let squares = (0..game.width()).map(|column| letter(Square::at(column, row)));
            squares.map(String::from).collect::<Vec<_>>().join(" ")
        };
        let rows: Vec<_> = (0..game.height()).rev().map(row).collect();
        rows.join("\n")
    }

    fn change_game(&mut self, name: &str) -> Reply {
        let game: GameSpec = name.parse().map_err(|error| format!("{error}"))?;
        self.engine.set_game(&game).map_err(|error| error.to_string())?;
        self.play = Play::new(&game);
        Ok(String::new())
    }

    fn set_game(&mut self, arguments: &[&str]) -> Reply {
        let known = |name: &&str| GAMES.iter().any(|game| game.eq_ignore_ascii_case(name));
        match arguments {
            [name] if known(name) => {
                self.play = Play::new(self.play.game());
                Ok(String::new())
            }
            _ => Err("unsupported game".to_owned()),
        }
    }

    /// `boardsize 6`, or `boardsize 5 6` for columns and rows. The rules stay.
    fn board_size(&mut self, arguments: &[&str]) -> Reply {
        let width: u32 = number(arguments, 0)?;
        let height: u32 = if arguments.len() > 1 { number(arguments, 1)? } else { width };
        let old = self.play.game();
        if (old.width(), old.height()) == (width, height) {
            self.play = Play::new(old);
            return Ok(String::new());
        }
        let game = GameSpec::new(width, height).map_err(|_| "unacceptable size".to_owned())?;
        let game = game
            .with_start(old.start())
            .with_objective(old.objective())
            .with_pass_rule(old.pass_rule())
            .with_score_rule(old.score_rule());
        self.engine.set_game(&game).map_err(|error| error.to_string())?;
        self.play = Play::new(&game);
        Ok(String::new())
    }

    /// A position in text, with its side.
    fn set_position(&mut self, text: &str) -> Reply {
        let game = *self.play.game();
        let location = Location { source: "position".to_owned(), line: None };
        let start = crate::board::Setup::start(&game);
        let entry = notation::parse_entry(text, location, &game, &start)
            .map_err(|error| error.to_string())?;
        let place = Place { side: entry.setup.side, position: entry.position };
        self.play = Play::from_place(&game, place);
        Ok(String::new())
    }

    fn make(&mut self, arguments: &[&str]) -> Reply {
        let [color, vertex] = arguments else {
            return Err("syntax error: play COLOR VERTEX".to_owned());
        };
        let side = read_color(color)?;
        let mv = read_vertex(vertex)?;
        self.play.make_as(side, mv).map_err(|why| refusal(why, side))?;
        Ok(String::new())
    }

    fn undo(&mut self, count: u32) -> Reply {
        let before = self.play.clone();
        for _ in 0..count {
            if !self.play.undo() {
                self.play = before;
                return Err("cannot undo".to_owned());
            }
        }
        Ok(String::new())
    }

    /// Finds a move for a color, and makes it if wanted. After the end everybody passes.
    fn generate(&mut self, arguments: &[&str], make: bool) -> Reply {
        let color = arguments.first().ok_or("syntax error: genmove COLOR")?;
        let side = read_color(color)?;
        let place = match self.play.turn_of(side) {
            Ok(place) => place,
            Err(Refusal::Over) => return Ok("pass".to_owned()),
            Err(why) => return Err(refusal(why, side)),
        };
        let started = Instant::now();
        let clock = usize::from(side == Color::White);
        let empties = place.position.empties(self.play.game()).len();
        let time =
            self.clocks.filter(|_| make).map(|clocks| clocks[clock].for_move(empties.div_ceil(2)));
        let budget = Budget { time, depth: self.depth };
        let Self { engine, inbox, .. } = self;
        let thought =
            inbox.search(|cancel| engine.think(&place.position, 1, budget, cancel, &mut |_| {}));
        let best = thought.best().ok_or("there is no move")?;
        if make {
            self.play.make_as(side, best).map_err(|why| refusal(why, side))?;
            if let Some(clocks) = &mut self.clocks {
                clocks[clock].spend(started.elapsed());
            }
        }
        Ok(write_vertex(best))
    }

    /// The best move with its worth: `exact +4 F5 ...` or `not exact +3.20 depth 14 F5 ...`.
    fn think_aloud(&mut self) -> Reply {
        let position = self.play.now().position;
        let budget = Budget { time: None, depth: self.depth };
        let Self { engine, inbox, .. } = self;
        let thought =
            inbox.search(|cancel| engine.think(&position, 1, budget, cancel, &mut |_| {}));
        let Some(line) = thought.lines.first() else { return self.final_score() };
        let pv: Vec<_> = line.pv.iter().copied().map(write_vertex).collect();
        let (worth, pv) = (line.worth.discs(), pv.join(" "));
        Ok(if line.worth.is_exact() {
            format!("exact {worth:+} {pv}")
        } else {
            format!("not exact {worth:+.2} depth {} {pv}", thought.depth)
        })
    }

    fn time_settings(&mut self, arguments: &[&str]) -> Reply {
        let (main, period) = (seconds(arguments, 0)?, seconds(arguments, 1)?);
        let moves: u32 = number(arguments, 2)?;
        self.clocks = Clock::new(main, period, moves).map(|clock| [clock; 2]);
        Ok(String::new())
    }

    fn time_left(&mut self, arguments: &[&str]) -> Reply {
        let color = arguments.first().ok_or("syntax error: time_left COLOR TIME MOVES")?;
        let side = usize::from(read_color(color)? == Color::White);
        let (left, moves) = (seconds(arguments, 1)?, number(arguments, 2)?);
        self.clocks.get_or_insert_default()[side].set_left(left, moves);
        Ok(String::new())
    }

    /// `loadsgf FILE [MOVE]`: the position before that move, or at the end.
    fn load(&mut self, arguments: &[&str]) -> Reply {
        let name = arguments.first().ok_or("syntax error: loadsgf FILE [MOVE]")?;
        let before: Option<u32> =
            if arguments.len() > 1 { Some(number(arguments, 1)?) } else { None };
        let failed = |why: String| format!("cannot load file: {why}");
        let bytes = std::fs::read(name).map_err(|error| failed(error.to_string()))?;
        let names = Names::default();
        let game = self.play.game();
        let games = notation::read_games(&bytes, name, game, GameFormat::Sgf, &names);
        let record = games.into_iter().next().ok_or_else(|| failed("no game in it".to_owned()))?;
        let mut record = record.map_err(|error| failed(error.to_string()))?;
        if let Some(before) = before {
            record.plies.truncate(before.saturating_sub(1) as usize);
        }
        self.engine.set_game(&record.game).map_err(|error| error.to_string())?;
        self.play = Play::from_record(&record);
        Ok(color_name(self.play.now().side).to_owned())
    }

    fn final_score(&self) -> Reply {
        match self.play.black_score() {
            None => Err("cannot score: the game is not over".to_owned()),
            Some(0) => Ok("0".to_owned()),
            Some(score) if score > 0 => Ok(format!("B+{score}")),
            Some(score) => Ok(format!("W+{}", -score)),
        }
    }
}
