//! The page that is a player at the manager of Stanford's course, and its script.
//!
//! The manager and its players are pages of one site, and browsers let pages of one site alone share
//! storage. So the page is stored on the site of the manager, and has its script from here.

/// The file at a path, with its type. `host` is where the page is asked for, `player` the name that the
/// player has in the page.
pub(super) fn file(path: &str, host: Option<&str>, player: &str) -> Option<(&'static str, String)> {
    match path {
        "/" | "/player.html" => {
            let host = host.filter(|host| is_host(host)).unwrap_or("127.0.0.1:9147");
            let page = include_str!("player.html");
            let page = page.replace("{{HOST}}", host).replace("{{PLAYER}}", &escaped(player));
            Some(("text/html; charset=utf-8", page))
        }
        "/player.js" => {
            Some(("text/javascript; charset=utf-8", include_str!("player.js").to_owned()))
        }
        _ => None,
    }
}

/// Whether a text is the name or address of a machine, with a port or without.
fn is_host(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || "-._:[]".contains(c))
}

/// A text in an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_its_server_and_its_player() {
        let page = |host, player| file("/player.html", host, player).expect("a page").1;
        let usual = page(Some("localhost:9148"), "dice");
        assert!(usual.contains(r#"src="http://localhost:9148/player.js""#), "{usual}");
        assert!(usual.contains(r#"data-player="dice""#), "{usual}");
        let odd = page(Some("\"><script>"), "\"><script>");
        assert!(odd.contains(r#"src="http://127.0.0.1:9147/player.js""#), "{odd}");
        assert!(odd.contains(r#"data-player="&quot;>&lt;script>""#), "{odd}");
        assert!(file("/other", None, "dice").is_none());
    }
}
