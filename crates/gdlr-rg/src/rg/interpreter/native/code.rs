//! All functions of a program, and the memory that they are in.

use super::choice_sets::ChoiceSets;
use super::function::Function;
use super::functions::{Functions, Key, Task};
use super::host::{Context, DEEPEST, STACK, finish};
use super::registers::Kinds;
use super::told_apart::Told;
use super::visits::Visits;
use super::word_list::finish_long;
use crate::rg::interpreter::error::NoCode;
use crate::rg::interpreter::program::{Address, FAIL, NodeId, Op, Program, Register, Symbol};
use crate::rg::name::Name;
use cranelift_codegen::CodegenError;
use cranelift_codegen::ir::{AbiParam, Signature, types};
use cranelift_codegen::isa::CallConv;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, ModuleError, default_libcall_names};
use hashbrown::hash_map::Entry;
use hashbrown::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Mutex;

/// The greatest number of operations of all functions together. Larger programs are left to the
/// interpreter: to compile them would take more than a second.
const MOST_WRITTEN: usize = 1 << 15;

/// The greatest number of operations of a landmark whose code replaces calls.
const MOST_INLINED: usize = 96;

/// The stack that a call takes besides the frame of the function, in bytes: addresses, and
/// registers that the caller saves.
const AROUND_FRAME: usize = 128;

/// All functions of a program, by node.
pub struct Native {
    /// The functions that list moves.
    lists: Box<[Option<Procedure>]>,
    /// The functions of random playouts. Empty if they would take too long to compile.
    plays: Box<[Plays]>,
    /// The tags of moves: by symbol, and after these by name.
    names: Box<[Name]>,
    tag_bits: i64,
    /// Machine code reads these tables where they are.
    _tables: Tables,
    /// The number of marks of checks.
    marks: usize,
    choice_sets: ChoiceSets,
    deepest: usize,
    bytes: usize,
    /// Keeps the memory alive. The lock makes it `Sync`, so that several threads can run its
    /// functions.
    _pages: Mutex<Vec<Pages>>,
}

/// The functions of random playouts at a node.
#[derive(Clone, Copy, Default)]
pub(super) struct Plays {
    /// Lists moves as words.
    pub words: Option<Procedure>,
    /// Plays the move of a word.
    pub play: Option<Procedure>,
    /// Plays the move, if there is never a choice.
    pub first: Option<Procedure>,
    pub told: Told,
    /// The number of the set of choices.
    pub set: Option<u32>,
}

static NO_PLAYS: Plays =
    Plays { words: None, play: None, first: None, told: Told::Never, set: None };

/// The memory that functions are in.
struct Pages(Option<JITModule>);

impl Drop for Pages {
    fn drop(&mut self) {
        if let Some(module) = self.0.take() {
            // SAFETY: its functions are run only while there is a `Native`.
            unsafe { module.free_memory() }
        }
    }
}

/// A program, and all that is known about it before any code is written.
pub(super) struct Parts<'p> {
    pub program: &'p Program,
    pub tables: Tables,
    pub names: Names,
    pub visits: Visits,
    pub kinds: Kinds,
    /// By any-assignment whose symbols the program can tell apart: those that pass the comparison
    /// behind it.
    pub narrowed: HashMap<Address, Range<u32>>,
    /// By the place of symbols that are not in a row: the first of the bytes with a bit for each symbol
    /// from the least one on, whether it is among them.
    pub members: HashMap<Range<u32>, usize>,
    /// The registers that checks read.
    pub read_by_checks: HashSet<Register>,
    /// By symbol: whether it is a player whose moves are the keeper's.
    pub kept: &'p [bool],
    /// Whether playouts keep sets of choices.
    pub has_choice_sets: bool,
}

impl Parts<'_> {
    pub fn of<'p>(program: &'p Program, symbols: &[Name], kept: &'p [bool]) -> Parts<'p> {
        let kinds = Kinds::of(program);
        let mut choices = program.choices.clone();
        let mut narrowed = HashMap::new();
        for (op, at) in program.code.iter().zip(0..) {
            if let Some(symbols) = program.narrowed(op, at, &kinds) {
                let first = choices.len() as u32;
                choices.extend(symbols);
                narrowed.insert(at, first..choices.len() as u32);
            }
        }
        let offsets = program.offsets.as_slice().into();
        let (members, bits) = members(program);
        let tables = Tables { choices: choices.into(), offsets, members: bits.into() };
        let checks = program.checks.iter().copied().collect();
        Parts {
            program,
            tables,
            names: Names::of(program, symbols),
            visits: Visits::of(program),
            kinds,
            narrowed,
            members,
            read_by_checks: program.read_by_checks(checks, None).unwrap_or_default(),
            kept,
            has_choice_sets: false,
        }
    }
}

/// The tables of the program that machine code reads.
pub(super) struct Tables {
    pub choices: Box<[Symbol]>,
    pub offsets: Box<[u32]>,
    pub members: Box<[u8]>,
}

/// [`Parts::members`], and the bytes of all.
fn members(program: &Program) -> (HashMap<Range<u32>, usize>, Vec<u8>) {
    let (mut places, mut bits) = (HashMap::new(), Vec::new());
    for op in &program.code {
        let Op::Any { first, end, .. } = *op else { continue };
        let symbols = &program.choices[first as usize..end as usize];
        let (Some(&least), Some(&greatest)) = (symbols.iter().min(), symbols.iter().max()) else {
            continue;
        };
        let span = (greatest - least) as usize + 1;
        if span == symbols.len() || places.contains_key(&(first..end)) {
            continue;
        }
        let begin = bits.len();
        places.insert(first..end, begin);
        bits.resize(begin + span.div_ceil(8), 0);
        for place in symbols.iter().map(|symbol| (symbol - least) as usize) {
            bits[begin + place / 8] |= 1 << (place % 8);
        }
    }
    (places, bits)
}

/// A function of machine code. Its arguments are the registers, the context, the ends of the lists
/// of tags and of assignments (or a word, and the number of bits that tags have taken of it), the
/// depth of the call, and other words of the same move.
pub(super) type Procedure =
    unsafe extern "C" fn(*mut Symbol, *mut Context, *mut u32, *mut u32, i64, *mut u64) -> i32;

/// The number of its arguments.
pub(super) const PARAMETERS: usize = 6;

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes of machine code", self.bytes)
    }
}

impl Native {
    /// Compiles a program. By symbol, `kept` says whether it is a player whose moves are the keeper's.
    pub fn of(program: &Program, symbols: &[Name], kept: &[bool]) -> Result<Native, NoCode> {
        let mut parts = Parts::of(program, symbols, kept);
        let choice_sets = ChoiceSets::of(&parts);
        parts.has_choice_sets = !choice_sets.is_empty();
        let has_code = |&node: &NodeId| program.entries[node as usize] != FAIL;
        let nodes = || 0..program.entries.len() as NodeId;
        let keys = nodes().filter(has_code).map(|node| (node, Task::Moves)).collect();
        let code = Code::of(&parts, keys)?;
        let lists = nodes().map(|node| code.function((node, Task::Moves))).collect();
        let Code { mut bytes, mut deepest, .. } = code;
        let mut pages = vec![code.pages];
        let starts = program.starts();
        let keys = starts.iter().flat_map(|&node| {
            let tasks = [Task::Words(Some(0)), Task::Play(Some(0)), Task::First];
            let is_certain = program.is_certain(node);
            let is_wanted = move |&task: &Task| (task == Task::First) == is_certain;
            tasks.into_iter().filter(is_wanted).map(move |task| (node, task))
        });
        let mut plays = Vec::new();
        if let Ok(code) = Code::of(&parts, keys.collect()) {
            let told = |node| match starts.binary_search(&node) {
                Ok(_) => Told::of(program, node, &parts.names),
                Err(_) => Told::Never,
            };
            let at = |node| Plays {
                told: told(node),
                set: choice_sets.number(node),
                words: code.function((node, Task::Words(Some(0)))),
                play: code.function((node, Task::Play(Some(0)))),
                first: code.function((node, Task::First)),
            };
            plays.extend(nodes().map(at));
            (bytes, deepest) = (bytes + code.bytes, deepest.min(code.deepest));
            pages.push(code.pages);
        }
        let Parts { names, tables, visits, .. } = parts;
        Ok(Native {
            lists,
            plays: plays.into(),
            tag_bits: names.bits(),
            names: names.all.into(),
            _tables: tables,
            marks: visits.length,
            choice_sets,
            deepest,
            bytes,
            _pages: Mutex::new(pages),
        })
    }

    /// The function that lists moves.
    pub(super) fn function(&self, node: NodeId) -> Option<Procedure> {
        self.lists.get(node as usize).copied().flatten()
    }

    /// The functions of random playouts.
    pub(super) fn plays(&self, node: NodeId) -> &Plays {
        self.plays.get(node as usize).unwrap_or(&NO_PLAYS)
    }

    /// The greatest depth of calls.
    pub(super) fn deepest(&self) -> usize {
        self.deepest
    }

    /// The number of bits that a tag takes in a word.
    pub(super) fn tag_bits(&self) -> i64 {
        self.tag_bits
    }

    pub(super) fn choice_sets(&self) -> &ChoiceSets {
        &self.choice_sets
    }

    /// The number of marks of [checks](super::visits).
    pub(super) fn marks(&self) -> usize {
        self.marks
    }

    pub(super) fn names(&self) -> &[Name] {
        &self.names
    }
}

/// Some functions, and all functions that they call.
struct Code {
    pages: Pages,
    functions: HashMap<Key, Procedure>,
    deepest: usize,
    bytes: usize,
}

impl Code {
    /// Compiles functions, with little code in place of calls as far as there is room.
    fn of(parts: &Parts<'_>, keys: Vec<Key>) -> Result<Code, NoCode> {
        let inlined = Code::inlined(parts, &keys, MOST_INLINED);
        inlined.or_else(|_| Code::inlined(parts, &keys, 0))
    }

    /// As [`Code::of`]. Landmarks with at most so many operations take no calls.
    fn inlined(parts: &Parts<'_>, keys: &[Key], most_inlined: usize) -> Result<Code, NoCode> {
        let processor = |_| NoCode::Processor;
        let instructions = cranelift_native::builder().map_err(|_| NoCode::Processor)?;
        let flags = flags().expect("Cranelift knows its settings");
        let instructions = instructions.finish(settings::Flags::new(flags)).map_err(processor)?;
        let mut builder = JITBuilder::with_isa(instructions, default_libcall_names());
        builder.symbol("finish", finish as *const u8);
        builder.symbol("finish_long", finish_long as *const u8);
        let mut pages = Pages(Some(JITModule::new(builder)));
        let module = pages.0.as_mut().ok_or(NoCode::Processor)?;
        let finish = module.declare_function("finish", Linkage::Import, &finish_signature());
        let finish = finish.map_err(|_| NoCode::Processor)?;
        let long = module.declare_function("finish_long", Linkage::Import, &long_signature());
        let long = long.map_err(|_| NoCode::Processor)?;
        let mut functions = Functions::new(parts, [finish, long], most_inlined);
        let mut compiled = module.make_context();
        let (mut bytes, mut written, mut largest_frame) = (0, 0, 0);
        for &key in keys {
            functions.wanted(module, key)?;
        }
        while let Some((key, id)) = functions.next() {
            module.clear_context(&mut compiled);
            compiled.func.signature = signature();
            written += Function::write(&mut functions, module, &mut compiled.func, key)?;
            if written > MOST_WRITTEN {
                return Err(NoCode::Large);
            }
            module.define_function(id, &mut compiled).map_err(|error| {
                let is_wrong =
                    matches!(&error, ModuleError::Compilation(CodegenError::Verifier(_)));
                debug_assert!(!is_wrong, "{error:?}");
                NoCode::Large
            })?;
            let code = compiled.compiled_code().ok_or(NoCode::Large)?;
            bytes += code.code_buffer().len();
            let frame = code.buffer.frame_layout().ok_or(NoCode::Processor)?;
            largest_frame = largest_frame.max(frame.frame_to_fp_offset as usize + AROUND_FRAME);
        }
        module.finalize_definitions().map_err(|_| NoCode::Processor)?;
        let function = |key: Key| {
            let address = module.get_finalized_function(functions.known(key)?);
            // SAFETY: it was declared as a function with this signature and convention.
            Some((key, unsafe { std::mem::transmute::<*const u8, Procedure>(address) }))
        };
        let functions = keys.iter().copied().filter_map(function).collect();
        let deepest = DEEPEST.min(STACK / largest_frame.max(1));
        Ok(Code { pages, functions, deepest, bytes })
    }

    fn function(&self, key: Key) -> Option<Procedure> {
        self.functions.get(&key).copied()
    }
}

/// The numbers of the tags of moves. A symbol keeps its own number.
pub(super) struct Names {
    all: Vec<Name>,
    numbers: HashMap<Name, u32>,
}

impl Names {
    fn of(program: &Program, symbols: &[Name]) -> Names {
        let mut all = symbols.to_vec();
        let mut numbers: HashMap<Name, u32> = all.iter().copied().zip(0..).collect();
        for op in &program.code {
            if let Op::Tag(name) = *op
                && let Entry::Vacant(new) = numbers.entry(name)
            {
                new.insert(all.len() as u32);
                all.push(name);
            }
        }
        Names { all, numbers }
    }

    pub fn number(&self, name: Name) -> Option<u32> {
        self.numbers.get(&name).copied()
    }

    /// The number of tags.
    pub fn count(&self) -> u32 {
        self.all.len() as u32
    }

    /// The number of bits that a tag takes in a word: enough for each number plus one.
    pub fn bits(&self) -> i64 {
        i64::from(usize::BITS - self.all.len().leading_zeros())
    }
}

pub(super) fn signature() -> Signature {
    let mut signature = Signature::new(convention());
    signature.params.extend([AbiParam::new(types::I64); PARAMETERS]);
    signature.returns.push(AbiParam::new(types::I32));
    signature
}

fn finish_signature() -> Signature {
    let mut signature = Signature::new(convention());
    let params = [types::I64, types::I32, types::I64, types::I64];
    signature.params.extend(params.map(AbiParam::new));
    signature.returns.push(AbiParam::new(types::I32));
    signature
}

fn long_signature() -> Signature {
    let mut signature = Signature::new(convention());
    signature.params.extend([AbiParam::new(types::I64); 3]);
    signature.returns.push(AbiParam::new(types::I64));
    signature
}

/// The convention of `extern "C"` on this system.
fn convention() -> CallConv {
    match () {
        () if cfg!(windows) => CallConv::WindowsFastcall,
        () if cfg!(target_vendor = "apple") => CallConv::AppleAarch64,
        () => CallConv::SystemV,
    }
}

fn flags() -> Result<settings::Builder, settings::SetError> {
    let mut flags = settings::builder();
    flags.set("opt_level", "speed")?;
    flags.set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" })?;
    flags.set("preserve_frame_pointers", "false")?;
    flags.set("unwind_info", "false")?;
    flags.set("is_pic", "false")?;
    flags.set("use_colocated_libcalls", "false")?;
    Ok(flags)
}
