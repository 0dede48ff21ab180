//! The page, compiled in.

use gdlr_board::style::STYLE;

/// A file of the page.
pub struct Asset {
    /// Where it is served.
    pub path: &'static str,
    pub kind: &'static str,
    pub text: &'static str,
}

macro_rules! assets {
    ($($path:literal $file:literal $kind:literal)*) => {
        /// All files of the page. Its style sheet lies upon that of all pages.
        pub const ASSETS: &[Asset] = &[
            Asset { path: "/common.css", kind: "text/css; charset=utf-8", text: STYLE },
            $(Asset { path: $path, kind: $kind, text: include_str!(concat!("page/", $file)) },)*
        ];
    };
}

assets! {
    "/" "index.html" "text/html; charset=utf-8"
    "/api.js" "api.js" "text/javascript; charset=utf-8"
    "/board.js" "board.js" "text/javascript; charset=utf-8"
    "/choice.js" "choice.js" "text/javascript; charset=utf-8"
    "/colours.js" "colours.js" "text/javascript; charset=utf-8"
    "/dom.js" "dom.js" "text/javascript; charset=utf-8"
    "/editor.js" "editor.js" "text/javascript; charset=utf-8"
    "/events.js" "events.js" "text/javascript; charset=utf-8"
    "/explain.js" "explain.js" "text/javascript; charset=utf-8"
    "/history.js" "history.js" "text/javascript; charset=utf-8"
    "/main.js" "main.js" "text/javascript; charset=utf-8"
    "/match.js" "match.js" "text/javascript; charset=utf-8"
    "/menu.js" "menu.js" "text/javascript; charset=utf-8"
    "/numbers.js" "numbers.js" "text/javascript; charset=utf-8"
    "/open.js" "open.js" "text/javascript; charset=utf-8"
    "/page.css" "page.css" "text/css; charset=utf-8"
    "/play.js" "play.js" "text/javascript; charset=utf-8"
    "/players.js" "players.js" "text/javascript; charset=utf-8"
    "/rules.js" "rules.js" "text/javascript; charset=utf-8"
    "/tabs.js" "tabs.js" "text/javascript; charset=utf-8"
    "/text.js" "text.js" "text/javascript; charset=utf-8"
    "/thoughts.js" "thoughts.js" "text/javascript; charset=utf-8"
    "/turn.js" "turn.js" "text/javascript; charset=utf-8"
}
