//! All colours. Those of roles can be told apart by the colour-blind (M. Okabe and K. Ito, *Color
//! Universal Design*, 2008); those that a rulesheet names are as it says.

/// How many colours there are for roles.
pub(super) const ROLES: usize = 6;

/// Colours that names tell, and the class of each.
pub(super) const NAMED: [(&str, &str); 24] = [
    ("white", "white"),
    ("black", "black"),
    ("light", "white"),
    ("dark", "black"),
    ("red", "red"),
    ("blue", "blue"),
    ("green", "green"),
    ("yellow", "yellow"),
    ("orange", "orange"),
    ("amber", "orange"),
    ("gold", "yellow"),
    ("purple", "purple"),
    ("violet", "purple"),
    ("magenta", "pink"),
    ("pink", "pink"),
    ("teal", "teal"),
    ("cyan", "teal"),
    ("turquoise", "teal"),
    ("brown", "brown"),
    ("grey", "grey"),
    ("gray", "grey"),
    ("silver", "grey"),
    ("lime", "green"),
    ("navy", "blue"),
];

/// The style sheet. A piece has the class of its colour: `fill` is what it is made of, `color` what
/// is written on it. Pages and labels follow the background, boards are of wood in any light.
pub(super) const STYLE: &str = "
text{font-family:system-ui,'Segoe UI','Noto Sans','DejaVu Sans',sans-serif;text-anchor:middle}
.page{fill:#fff}.label{fill:#444}.name{fill:#222;text-anchor:start;font-weight:600}
.legend{fill:#444;text-anchor:start}
.fact{fill:#222;font-family:ui-monospace,'DejaVu Sans Mono',monospace;text-anchor:start}
.square{fill:#efe3cb;stroke:#a8926c;stroke-width:1}
.part{stroke:#7d6845;stroke-width:3}.dark{fill:#cdb38b}.changed{fill:none;stroke:#c2410c;stroke-width:3;stroke-opacity:.75}
.piece{stroke:#26221c;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}
.line{stroke-width:1.8;stroke-linecap:round}.ring{fill-rule:evenodd}
.faint{opacity:.45}.block{fill:#5b5348;stroke:none}.wall{stroke:#5b5348;stroke-width:4;stroke-linecap:round}
.white{fill:#fffdf7;color:#111}.black{fill:#2b2b2e;color:#fff}.red{fill:#cc3311;color:#fff}
.blue{fill:#1f6fb5;color:#fff}.green{fill:#1a8a5a;color:#fff}.yellow{fill:#f2c500;color:#111}
.orange{fill:#e07b00;color:#111}.purple{fill:#7a3e9d;color:#fff}.pink{fill:#d6489a;color:#fff}
.teal{fill:#12a5a5;color:#111}.brown{fill:#7b4a21;color:#fff}.grey{fill:#9a9a9a;color:#111}
.role0{fill:#0072b2;color:#fff}.role1{fill:#d55e00;color:#fff}.role2{fill:#009e73;color:#fff}
.role3{fill:#cc79a7;color:#111}.role4{fill:#e69f00;color:#111}.role5{fill:#56b4e9;color:#111}
.plain{fill:#fbf7ee;color:#222}
.on{fill:currentColor;stroke:none}.ink{stroke:currentColor;fill:none}
@media (prefers-color-scheme:dark){.page{fill:#17191c}.label,.legend{fill:#c3c7cd}.name,.fact{fill:#e8eaed}
.square{fill:#b9a684;stroke:#8a7552}.part{stroke:#4d3f28}.dark{fill:#957c56}.changed{stroke:#7c2d12}}
";

/// The style that is added for graphs.
pub(super) const GRAPH: &str = "
.caption{fill:#1d1f22;text-anchor:start}.aside{fill:#666;text-anchor:end}
.node{stroke:#5d646d;stroke-width:1}.thick{stroke-width:2.6}
.state{fill:#d6e6f5}.move{fill:#fbe3bd}.answer{fill:#e0d9f2}.static{fill:#eceff1}.other{fill:#fff}
.and{fill:#d5ecd5}.or{fill:#f4d9e4}
.edge{fill:none;stroke:#4a5058;stroke-opacity:.55;stroke-width:1.1}.dashed{stroke:#b3261e;stroke-dasharray:4 3}
.head{fill:#4a5058}
.edge.kept{stroke:#4a5058}.edge.added{stroke:#17803f;stroke-opacity:1;stroke-width:2.2}.head.added{fill:#17803f}
.edge.removed{stroke:#c2352b;stroke-opacity:.8;stroke-width:1.6}.head.removed{fill:#c2352b}
.node.added{stroke:#17803f;stroke-width:2.2}.node.removed{stroke:#c2352b;stroke-width:1.6;stroke-opacity:.8}
.caption.added{fill:#0f6130;font-weight:650}.caption.removed{fill:#a52a21;text-decoration:line-through}
@media (prefers-color-scheme:dark){.caption{fill:#f0f2f4}.aside{fill:#a9afb7}.node{stroke:#8b939c}
.state{fill:#1f4468}.move{fill:#6b4a12}.answer{fill:#473b70}.static{fill:#2f353b}.other{fill:#202429}
.and{fill:#235a2d}.or{fill:#6a2b49}
.edge{stroke:#b9c0c8}.dashed{stroke:#ff8a80}.head{fill:#b9c0c8}
.edge.kept{stroke:#b9c0c8}.edge.added,.node.added{stroke:#58d68d}.head.added{fill:#58d68d}.caption.added{fill:#8fe6b4}
.edge.removed,.node.removed{stroke:#ff8a80}.head.removed{fill:#ff8a80}.caption.removed{fill:#ffada6}}
";

/// The style sheet of a film of so many seconds: which part of them a frame is seen, and the last
/// one.
pub(super) fn film(part: f64, last: f64, seconds: f64) -> String {
    let keyframes = |name: &str, part: f64| {
        let percent = part * 100.0;
        format!(
            "@keyframes {name}{{0%{{visibility:visible}}{percent:.3}%,100%{{visibility:hidden}}}}"
        )
    };
    format!(
        "
.frame{{visibility:hidden;animation:show {seconds:.2}s step-end infinite}}
.last{{visibility:visible;animation-name:stay}}
{}
{}
@media (prefers-reduced-motion:reduce){{.frame{{animation:none}}}}
",
        keyframes("show", part),
        keyframes("stay", last)
    )
}
