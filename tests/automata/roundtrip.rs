//! Regular Games: what is printed is read back as the same description, whatever stands in it;
//! the layout of a file keeps its content; and no text makes the reader fall over.

use gdlr::diagnostic::{Diagnostic, Span};
use gdlr::rg::{
    AppliedTag, Base, Constant, Description, Edge, Entry, Expr, Hint, Ident, Label, Map, Names,
    Place, Pragma, SimpleType, SymbolSet, Type, TypeAlias, Value, Variable, format, print, read,
    read_bytes, validate,
};
use proptest::prelude::*;

const PLACE: Place = Place(Span { start: 0, end: 0 });

/// Makes descriptions at random. What is printed first is made first, so that the names get
/// the numbers that reading gives them.
struct Generator {
    state: u64,
    names: Names,
    /// How deep the brackets are nested.
    depth: usize,
}

impl Generator {
    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 20) as usize % bound
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn of(&mut self, texts: &[&str]) -> Ident {
        let text = texts[self.below(texts.len())];
        self.names.intern(text).expect("a name").into()
    }

    /// Any name, even one that begins like a keyword.
    fn name(&mut self) -> Ident {
        self.of(&[
            "a",
            "b",
            "B",
            "_",
            "3",
            "0",
            "żółć",
            "½",
            "typeA",
            "variable",
            "constant",
            "player",
            "begin",
            "end",
            "x1",
            "a_long_name_of_many_letters_so_that_lines_are_broken",
        ])
    }

    /// A node that an edge may leave.
    fn node(&mut self) -> Ident {
        self.of(&["begin", "end", "p", "q", "1", "Var", "_type", "node_12"])
    }

    fn some<T>(&mut self, least: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = least + if self.chance(10) { self.below(20) } else { self.below(3) };
        (0..count).map(|_| make(self)).collect()
    }

    fn type_(&mut self) -> Type {
        let keys = if self.chance(30) { self.some(1, Self::simple_type) } else { Vec::new() };
        Type { keys, value: self.simple_type() }
    }

    fn simple_type(&mut self) -> SimpleType {
        if self.chance(50) {
            return SimpleType::Named(self.name());
        }
        SimpleType::Set(SymbolSet { members: self.some(1, Self::name), place: PLACE })
    }

    fn value(&mut self) -> Value {
        if self.depth > 4 || self.chance(50) {
            return Value::Name(self.name());
        }
        self.depth += 1;
        let entries = self.some(0, |generator| {
            let key = if generator.chance(70) { Some(generator.name()) } else { None };
            Entry { key, value: generator.value(), place: PLACE }
        });
        self.depth -= 1;
        Value::Map(Map { entries, place: PLACE })
    }

    fn expr(&mut self) -> Expr {
        let name = self.name();
        if self.depth > 4 {
            return Expr::from(name);
        }
        self.depth += 1;
        let base = match self.chance(30) {
            true => Base::Cast(name, Box::new(self.expr())),
            false => Base::Name(name),
        };
        let keys = if self.chance(30) { self.some(1, Self::expr) } else { Vec::new() };
        self.depth -= 1;
        Expr { base, keys, place: PLACE }
    }

    fn label(&mut self) -> Label {
        match self.below(8) {
            0 => Label::Skip,
            1 => Label::Tag(self.name()),
            2 => Label::TagVariable(self.name()),
            3 => {
                let negated = self.chance(50);
                Label::Reach { from: self.name(), to: self.name(), negated }
            }
            4 => Label::AssignAny { target: self.expr(), values: self.type_() },
            5 | 6 => {
                let equal = self.chance(50);
                Label::Compare { left: self.expr(), right: self.expr(), equal }
            }
            _ => Label::Assign { target: self.expr(), value: self.expr() },
        }
    }

    fn hint(&mut self) -> Hint {
        let exhaustive = self.chance(50);
        match self.below(11) {
            0 => Hint::ArtificialTag { tags: self.some(1, Self::name) },
            1 => {
                Hint::Disjoint { node: self.name(), targets: self.some(1, Self::name), exhaustive }
            }
            2 => Hint::Integer {
                first: [0, 7, u64::MAX][self.below(3)],
                symbols: self.some(1, Self::name),
            },
            3 => Hint::Iterator {
                nodes: [self.name(), self.name(), self.name()],
                variable: self.name(),
            },
            4 => Hint::Repeat {
                nodes: self.some(1, Self::name),
                variables: self.some(0, Self::name),
            },
            5 => Hint::SimpleApply {
                from: self.name(),
                to: self.name(),
                tags: self.some(0, |generator| match generator.chance(50) {
                    true => AppliedTag::Tag(generator.name()),
                    false => AppliedTag::Any { name: generator.name(), type_: generator.type_() },
                }),
                assignments: self.some(0, |generator| (generator.expr(), generator.expr())),
                exhaustive,
            },
            6 => Hint::TagIndex { nodes: self.some(1, Self::name), index: self.below(9) as u64 },
            7 => Hint::TagMaxIndex { nodes: self.some(1, Self::name), index: 3 },
            8 => Hint::TranslatedFromRbg,
            9 => Hint::Unique { nodes: self.some(1, Self::name) },
            _ => Hint::Unknown(
                ["", "author \"me\" // too,\n {", "@", "Unique a", " unique [", "x"][self.below(6)]
                    .into(),
            ),
        }
    }

    fn description(mut self) -> Description {
        let place = PLACE;
        let pragmas = self.some(0, |generator| Pragma { hint: generator.hint(), place });
        let types = self.some(0, |generator| TypeAlias {
            name: generator.name(),
            type_: generator.type_(),
            place,
        });
        let constants = self.some(0, |generator| Constant {
            name: generator.name(),
            type_: generator.type_(),
            value: generator.value(),
            place,
        });
        let variables = self.some(0, |generator| Variable {
            name: generator.name(),
            type_: generator.type_(),
            initial: generator.value(),
            place,
        });
        let edges = self.some(0, |generator| Edge {
            from: generator.node(),
            to: generator.name(),
            label: generator.label(),
            place,
        });
        Description { names: self.names, pragmas, types, constants, variables, edges }
    }
}

fn description() -> impl Strategy<Value = Description> {
    (1..u64::MAX)
        .prop_map(|state| Generator { state, names: Names::default(), depth: 0 }.description())
}

/// The text with other white space, and with comments, between its tokens.
fn respaced(text: &str, mut state: u64) -> String {
    let mut out = String::new();
    let mut verbatim = false;
    for (at, character) in text.char_indices() {
        if character == '@' {
            // An unknown pragma keeps its text.
            verbatim = true;
        }
        verbatim &= character != ';';
        if verbatim || !matches!(character, ' ' | '\n') {
            out.push(character);
            continue;
        }
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(at as u64 | 1);
        out.push_str(match state >> 60 {
            0 => "\n",
            1 => "\r\n\r\n\r\n",
            2 => "\t ",
            3 => " // a, b; { comment\n",
            4 => "//\n// two  \n\n",
            _ => {
                if character == ' ' {
                    " "
                } else {
                    "\n"
                }
            }
        });
    }
    out
}

fn comments(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| !line.contains('"'))
        .filter_map(|line| line.find("//").map(|at| line[at..].trim_end()))
        .collect()
}

fn lies_within(text: &str, found: &[Diagnostic]) -> bool {
    let within = |span: Span| {
        span.start <= span.end && text.get(span.start as usize..span.end as usize).is_some()
    };
    found.iter().all(|diagnostic| {
        within(diagnostic.span) && diagnostic.related.iter().all(|(span, _)| within(*span))
    })
}

/// Something of everything.
const SAMPLE: &str = "// héad
@disjoint p : q r; @simpleApply a b [t, v: A -> { x, y }] x[v] = A(v), y = z; @odd \"ż\" ;
type Player = { x, ó }; typeScore={0,100};
const c: Player -> { a } -> Score = { x: { :0 }, :{ a: 100, :0 } };
var v: Player = x;
begin, turn: player = x; turn, a: v = Player(*); a, b: $$ v; a, b: $ t;
b, d: ? e -> f; b, d: ! e -> f; e, f: c[v][a] != Score(0);
d, end: ;
";

/// The result of reading a text: whether it can be read; the findings lie in the text.
fn examine(text: &str) -> Result<(), TestCaseError> {
    match read(text) {
        Ok(description) => {
            prop_assert!(lies_within(text, &validate(&description)), "{}", text);
            prop_assert!(format(text).is_ok(), "{}", text);
        }
        Err(errors) => {
            prop_assert!(!errors.is_empty() && lies_within(text, &errors), "{}", text);
            prop_assert!(format(text).is_err(), "{}", text);
        }
    }
    Ok(())
}

#[test]
fn a_text_may_end_anywhere() {
    read(SAMPLE).expect("the sample can be read");
    let ends = (0..=SAMPLE.len()).filter(|&end| SAMPLE.is_char_boundary(end));
    for end in ends {
        examine(&SAMPLE[..end]).unwrap();
        examine(&SAMPLE[end..]).unwrap();
    }
    // The last character is a line end, and the one before a `;` that is needed.
    assert!(read(&SAMPLE[..SAMPLE.len() - 1]).is_ok());
    assert!(read(&SAMPLE[..SAMPLE.len() - 2]).is_err());
    for end in 0..SAMPLE.len() {
        assert!(!read_bytes(&SAMPLE.as_bytes()[..end]).is_err_and(|errors| errors.is_empty()));
    }
}

#[test]
fn what_other_programs_read_is_read() {
    for text in [
        "",
        "// nothing",
        "typePlayer={x};",
        "type Player = { x };\r\ntype Score = { 0 };\r\nbegin, end: player = keeper;\r\n",
        "type 1T = { Zażółć, ½, 3, x, x }; type 3 = 1T -> { a } -> 1T;",
        "type v = { 0 }; var v: v = 0; begin, a: v = v(1);",
        "const c: A -> A = { :0 }; const d: A = { a: 1, :0, b: { :c } }; var w: B = { : 0, a: d };",
        "begin,end:;begin, end: ;a, b: v = { 0, 1 }(*); a, b: v = Bool ( * );",
        "a, b: BB(v)[0] == T ( e ); a, b: v[v[0][1]][0] = v[ // here\n 0 ];",
        "a, b: ?p->q; a, b: ! typeA->variable; a, constant: $ t; a, b: $$v;",
        "@repeat a :; @repeat a b : v w; @simpleApply a b []; @simpleApply a b [t, v: Bool] x = y;",
        "@integer 0 : a b; @tagIndex a b : 0; @anything // at all { [ ( \n;",
        "@disjointExhaustive a : b; @iterator a b c : v; @artificialTag t u; @translatedFromRbg;",
    ] {
        assert!(read(text).is_ok(), "{text}: {:?}", read(text));
        assert!(read(&print(&read(text).unwrap()).unwrap()).is_ok(), "{text}");
    }
}

#[test]
fn what_other_programs_read_as_something_else_is_found() {
    for (text, code) in [
        ("typeA, end: ;", "R206"),
        ("constant, end: ;", "R206"),
        ("variable, end: ;", "R206"),
        ("@uniqueFoo a;", "R210"),
        ("@repeatTest x;", "R210"),
        ("type A = { c }; const c: A = c;", "R204"),
        ("type A = { goals };", "R204"),
        ("var v: { 0, 1 } -> Bool = { :0 };", "R203"),
        ("const c: Bool -> Bool = { 0: 1, 1: 0 };", "R106"),
        ("type A = {};", "R109"),
        ("type A = A;", "R108"),
        ("begin, a: ? begin -> a;", "R121"),
        ("begin, a: ? q -> q;", "R207"),
    ] {
        let diagnostics = validate(&read(text).unwrap());
        assert!(diagnostics.iter().any(|one| one.code.as_str() == code), "{text}: {diagnostics:?}");
    }
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(description in description()) {
        let text = print(&description).expect("a description that can be printed");
        let again = read(&text).map_err(|errors| {
            TestCaseError::fail(format!("{text}\n{}", errors[0]))
        })?;
        prop_assert_eq!(&again, &description, "{}", text);
        prop_assert_eq!(print(&again).unwrap(), text);
    }

    #[test]
    fn layout_keeps_the_content(description in description(), state in any::<u64>()) {
        let text = respaced(&print(&description).unwrap(), state);
        let once = format(&text).expect("a text that can be read");
        prop_assert_eq!(&format(&once).unwrap(), &once, "not stable");
        prop_assert_eq!(comments(&once), comments(&text), "{}", once);
        prop_assert_eq!(read(&once).unwrap(), read(&text).unwrap());
        prop_assert!(!once.contains("\n\n\n"));
    }

    #[test]
    fn any_diagnostic_lies_in_the_text(description in description(), cuts in any::<[u16; 4]>()) {
        // Pieces of a text, put together in another way.
        let text = print(&description).unwrap();
        let place = |cut: u16| text.floor_char_boundary(usize::from(cut) % (text.len() + 1));
        let [a, b, c, d] = cuts.map(place);
        let mixed = format!("{}{}", &text[a.min(b)..a.max(b)], &text[c.min(d)..c.max(d)]);
        examine(&mixed)?;
    }
}
