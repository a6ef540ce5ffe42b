//! The values of whole boards in `data/known/values.txt`, each solved from the start.

use crate::support::{check_variation, exactly, game, plain_solver, run, task};
use obverse::board::Position;
use std::fs;

#[test]
fn whole_boards_have_their_known_values() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/known/values.txt");
    let text = fs::read_to_string(path).unwrap();
    let mut solved = 0;
    for line in text.lines().filter(|line| !line.starts_with('%') && !line.trim().is_empty()) {
        // game, value, convention, who found it; `slow` first leaves a line to the command line.
        let fields: Vec<&str> = line.splitn(4, ' ').collect();
        let [name, value, convention, source] = fields[..] else { panic!("{line}") };
        assert!(!source.is_empty(), "{line}: no source");
        if source.starts_with("(slow)") {
            continue;
        }
        let game = game(name);
        assert_eq!(game.to_string(), name, "names stand in their printed form");
        assert_eq!(game.score_rule().to_string(), convention, "{line}");
        let start = Position::start(&game);
        let solution = run(&mut plain_solver(&game), &task(start));
        assert_eq!(solution.bounds, exactly(value.parse().unwrap()), "{line}");
        check_variation(&game, &start, &solution);
        solved += 1;
    }
    assert!(solved > 60, "{solved} boards solved");
}
