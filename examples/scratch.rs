use obverse::board::*;
use obverse::kernel::Level;
use obverse::search::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let game: GameSpec = args[1].parse().unwrap();
    let level: Level = args[2].parse().unwrap();
    let threads: usize = args[3].parse().unwrap();
    let limit: usize = args[5].parse().unwrap();
    let all = args.get(6).is_some_and(|a| a == "all");
    let text = if args[4] == "start" {
        "start".to_string()
    } else {
        std::fs::read_to_string(&args[4]).unwrap()
    };
    let mut solver =
        Solver::new(&game, &SolverOptions { threads, hash_bytes: 256 << 20, kernel: level })
            .unwrap();
    let (mut total, mut time, mut bad, mut n) = (0, 0.0, 0, 0);
    for line in text.lines().filter(|l| !l.starts_with('%') && !l.trim().is_empty()).take(limit) {
        let (setup, mut expected): (Setup, Vec<(String, i32)>) = if line == "start" {
            (Setup::start(&game), vec![])
        } else {
            let mut black = 0u64;
            let mut white = 0u64;
            let mut i = 0;
            let w = game.width() as u64;
            let chars: Vec<char> = line.chars().collect();
            let cells = (game.width() * game.height()) as usize;
            for c in &chars[..cells] {
                let sq = (i / w) * 8 + i % w;
                match c {
                    'X' => black |= 1 << sq,
                    'O' => white |= 1 << sq,
                    _ => {}
                }
                i += 1;
            }
            let rest: String = chars[cells..].iter().collect();
            let rest = rest.trim();
            let side = if rest.starts_with('X') { Color::Black } else { Color::White };
            let tail = rest[1..].trim();
            let mut exp = vec![];
            if tail.starts_with(';') {
                for f in tail.split(';') {
                    let f = f.trim();
                    if let Some((m, s)) = f.split_once(':') {
                        if m != "--" {
                            exp.push((
                                m.to_lowercase(),
                                s.trim_start_matches('+').parse().unwrap(),
                            ));
                        }
                    }
                }
            } else if !tail.is_empty() {
                exp.push(("".into(), tail.trim_start_matches('+').parse().unwrap()));
            }
            (
                Setup {
                    black: Bitboard::new(black),
                    white: Bitboard::new(white),
                    side,
                    supply: None,
                },
                exp,
            )
        };
        let position = setup.position(&game).unwrap();
        let task =
            Task { position, window: None, all_moves: all, time_limit: None, node_limit: None };
        let s = solver.solve(&task, &Cancel::default(), &());
        n += 1;
        total += s.nodes;
        time += s.elapsed.as_secs_f64();
        // replay
        let mut p = position;
        let mut sign = 1;
        for mv in &s.pv {
            p = p.play(&game, *mv).expect("legal pv");
            sign = -sign;
        }
        assert!(p.is_over(&game), "pv not complete {} {:?}", line, s);
        assert_eq!(sign * p.final_score(&game), s.bounds.lower, "pv score {line} {s:?}");
        expected.sort_by_key(|e| -e.1);
        let ok = expected.first().is_none_or(|e| e.1 == s.bounds.lower) && s.bounds.is_exact();
        let mut ok2 = true;
        if all {
            for m in &s.moves {
                if let Some(e) = expected.iter().find(|e| e.0 == m.mv.to_string()) {
                    if e.1 != m.bounds.lower || !m.bounds.is_exact() {
                        ok2 = false;
                        println!("  move {} {} vs {}", m.mv, m.bounds.lower, e.1);
                    }
                }
            }
            if expected.len() > 1 && expected.len() != s.moves.len() {
                ok2 = false;
            }
        }
        if !ok || !ok2 {
            bad += 1;
            println!("BAD {line} got {:?}", s.bounds);
        }
        if limit <= 60 {
            println!(
                "{n:3} {:+} {:?} {:>14} {:8.3}s {:6.1} Mn/s",
                s.bounds.lower,
                s.best,
                s.nodes,
                s.elapsed.as_secs_f64(),
                s.nodes as f64 / s.elapsed.as_secs_f64() / 1e6
            );
        }
    }
    println!(
        "{} solved {n} bad {bad} nodes {total} time {time:.3} {:.1} Mn/s",
        args[4],
        total as f64 / time / 1e6
    );
}
