//! The players of matches on the command line.

use super::plan::Plan;
use crate::cli::status::Failure;
use gdlr::engine::{RoleId, Roles};
use std::path::Path;

/// A player of a series, and how it has done.
#[derive(Debug)]
pub struct Entrant {
    /// Its name for the user.
    pub name: String,
    pub plan: Plan,
    /// The role that it has in the first match.
    pub role: RoleId,
    /// Its goal values.
    pub goals: Vec<f64>,
    pub errors: u32,
}

/// The players as the user named them; all others play at random.
pub fn entrants(roles: &Roles, wanted: &[String]) -> Result<Vec<Entrant>, Failure> {
    let mut plans: Vec<Option<(String, Plan)>> = vec![None; roles.count()];
    for text in wanted {
        let refuse = |why: String| Failure::Unusable(format!("--player {text}: {why}"));
        let Some((role, player)) = text.split_once('=') else {
            return Err(refuse("write ROLE=PLAYER".to_owned()));
        };
        let Some(role) = roles.find(role) else {
            let names = roles.names().join(", ");
            return Err(refuse(format!("there is no role `{role}`; the roles are {names}")));
        };
        if plans[role.index()].is_some() {
            return Err(refuse("the role has a player already".to_owned()));
        }
        if roles.random() == Some(role) && player != "random" {
            return Err(refuse("the role of chance is played at random".to_owned()));
        }
        let opened = |plan: Plan| plan.opened(Path::new(""));
        let plan = Plan::read(player).and_then(opened).map_err(refuse)?;
        plans[role.index()] = Some((player.to_owned(), plan));
    }
    let chance = roles.random();
    let entrants = roles.iter().zip(plans).filter(|&(role, _)| chance != Some(role));
    let entrant = |(role, plan): (RoleId, Option<(String, Plan)>)| {
        let (name, plan) = plan.unwrap_or_else(|| ("random".to_owned(), Plan::Random));
        Entrant { name, plan, role, goals: Vec::new(), errors: 0 }
    };
    Ok(entrants.map(entrant).collect())
}

/// The names of the players; equal names get a number.
pub fn labels(entrants: &[Entrant]) -> Vec<String> {
    let label = |(place, entrant): (usize, &Entrant)| {
        let alike = entrants.iter().filter(|other| other.name == entrant.name).count();
        match alike {
            1 => entrant.name.clone(),
            _ => format!("{} ({})", entrant.name, place + 1),
        }
    };
    entrants.iter().enumerate().map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read() {
        let roles = Roles::new(["white", "random", "black"].map(String::from));
        let read = |texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
            entrants(&roles, &texts).map_err(|failure| format!("{failure:?}"))
        };
        let all = read(&["black=uct", "WHITE=http://localhost:9147"]).expect("players");
        let names: Vec<&str> = all.iter().map(|entrant| entrant.name.as_str()).collect();
        assert_eq!(names, ["http://localhost:9147", "uct"]);
        assert!(read(&["black=alphabeta"]).expect("a player")[1].plan.remembers());
        assert_eq!(read(&["random=random"]).expect("players").len(), 2);
        for (wrong, why) in [
            ("uct", "ROLE=PLAYER"),
            ("green=uct", "white, random, black"),
            ("random=uct", "chance"),
            ("white=https://localhost", "http://HOST:PORT"),
            ("white=uctt", "random, mc, uct, alphabeta, net:FILE"),
            ("white=net:nowhere.onnx", "cannot be read"),
        ] {
            assert!(read(&[wrong]).expect_err(wrong).contains(why), "{wrong}");
        }
        assert!(read(&["white=uct", "white=mc"]).expect_err("twice").contains("already"));
    }
}
