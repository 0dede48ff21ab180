//! A whole player: takes the move after which it would be worth most, were the game over then.
//!
//! ```sh
//! cargo run --example greedy &
//! gdlr match tictactoe --player crosses=http://127.0.0.1:9147 --start-clock 5 --play-clock 1
//! ```

use gdlr::engine::{Engine, MoveId, choose, seeded};
use gdlr::ggp::http::{Limits, Server};
use gdlr::ggp::service::{Options, Service};
use gdlr::play::player::{Player, Turn};
use std::net::SocketAddr;
use std::sync::atomic::AtomicBool;

struct Greedy;

impl Player for Greedy {
    fn play(&mut self, turn: &Turn<'_>) -> MoveId {
        let (mut scratch, mut rng) = (turn.engine.scratch(), seeded(turn.step, 0));
        let worth = |&mine: &MoveId| {
            turn.engine.enter(&mut scratch, turn.state);
            let mut joint = Vec::new();
            for role in turn.engine.roles().iter() {
                let mut legal = Vec::new();
                turn.engine.legal(&mut scratch, role, &mut legal).ok()?;
                joint.push(if role == turn.role { mine } else { choose(&legal, &mut rng)? });
            }
            turn.engine.step(&mut scratch, &joint).ok()?;
            turn.engine.goal(&mut scratch, turn.role).ok()
        };
        turn.legal.iter().copied().max_by_key(worth).expect("there is a legal move")
    }
}

fn main() -> std::io::Result<()> {
    let service = Service::new(Options::new("greedy", || Box::new(Greedy)));
    let server =
        Server::bind(SocketAddr::from(([127, 0, 0, 1], 9147)), service, Limits::default())?;
    println!("greedy listens at http://{}", server.address()?);
    server.run(&AtomicBool::new(false));
    Ok(())
}
