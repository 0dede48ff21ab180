//! The games of `kif/` are as good as a rulesheet can be: nothing to report on any of them,
//! laid out in the canonical way, and well-formed as far as random play can tell.

use gdlr::check::check;
use gdlr::gdl::Game;
use gdlr::play::well_formed::{Simulation, simulate};
use gdlr::tree::{Tree, TreeOptions};
use std::path::Path;
use std::sync::atomic::AtomicBool;

#[test]
fn bundled_games_are_well_formed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("kif");
    let mut games = 0;
    for entry in folder.read_dir().expect("the folder of games") {
        let path = entry.expect("a readable folder").path();
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).expect("a readable rulesheet");
        let game = Game::from_kif(&name, &text).expect("rules");
        assert_eq!(check(&game), [], "{name}");
        assert_eq!(
            gdlr::kif::format(&text, &game.document),
            text,
            "{name}: `gdlr fmt --write` mends this"
        );
        let tree = Tree::new(game, &TreeOptions::default()).expect("a playable game");
        let options = Simulation { playouts: 200, max_steps: 1_000, seed: 1, situations: 2_000 };
        let game = tree.game();
        let report = simulate(&tree, game, &options, &AtomicBool::new(false));
        assert_eq!(report.diagnostics(game), [], "{name}");
        assert!(report.is_well_formed(), "{name}");
        games += 1;
    }
    assert!(games >= 22, "{games} games");
}
