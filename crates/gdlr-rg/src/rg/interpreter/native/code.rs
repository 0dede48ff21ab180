//! All functions of a program, and the memory that they are in.

use super::function::{Function, Functions};
use super::host::{Context, finish};
use crate::rg::interpreter::error::NoCode;
use crate::rg::interpreter::program::{FAIL, NodeId, Op, Program, Symbol};
use crate::rg::name::Name;
use cranelift_codegen::ir::{AbiParam, Signature, types};
use cranelift_codegen::isa::CallConv;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};
use std::sync::{Mutex, PoisonError};

/// Programs with more operations are left to the interpreter.
const MOST_OPERATIONS: usize = 1 << 15;

/// The functions of moves, by node.
pub struct Native {
    functions: Box<[Option<Procedure>]>,
    /// By symbol, and behind these by name: the pieces of moves.
    names: Box<[Name]>,
    bytes: usize,
    /// Holds the memory of the functions. It is locked so that others may run them at the same time.
    module: Mutex<Option<Box<JITModule>>>,
}

/// A function of machine code: the registers, the context, the ends of the lists of pieces and of
/// assignments, and how many functions it is in.
pub(super) type Procedure =
    unsafe extern "C" fn(*mut Symbol, *mut Context, *mut u32, *mut u32, i64) -> i32;

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes of machine code", self.bytes)
    }
}

impl Native {
    /// Compiles a program.
    pub fn of(program: &Program, symbols: &[Name]) -> Result<Native, NoCode> {
        if program.code.len() > MOST_OPERATIONS {
            return Err(NoCode::Large);
        }
        let processor = |_| NoCode::Processor;
        let instructions = cranelift_native::builder().map_err(|_| NoCode::Processor)?;
        let flags = flags().expect("Cranelift knows its settings");
        let instructions = instructions.finish(settings::Flags::new(flags)).map_err(processor)?;
        let mut builder = JITBuilder::with_isa(instructions, default_libcall_names());
        builder.symbol("finish", finish as *const u8);
        let mut module = JITModule::new(builder);
        let names = Names::of(program, symbols);
        let finish = module.declare_function("finish", Linkage::Import, &finish_signature());
        let finish = finish.map_err(|_| NoCode::Processor)?;
        let mut functions = Functions::new(program, &names, finish);
        let mut compiled = module.make_context();
        let mut bytes = 0;
        for node in 0..program.entries.len() as u32 {
            if program.entries[node as usize] != FAIL {
                functions.wanted(&mut module, (node, None))?;
            }
        }
        while let Some((key, id)) = functions.next() {
            module.clear_context(&mut compiled);
            compiled.func.signature = signature();
            Function::write(&mut functions, &mut module, &mut compiled.func, key)?;
            module.define_function(id, &mut compiled).map_err(|_| NoCode::Large)?;
            bytes += compiled.compiled_code().map_or(0, |code| code.code_buffer().len());
        }
        module.finalize_definitions().map_err(|_| NoCode::Processor)?;
        let function = |node: NodeId| {
            let address = module.get_finalized_function(functions.known((node, None))?);
            // SAFETY: it was declared as a function with this signature and convention.
            Some(unsafe { std::mem::transmute::<*const u8, Procedure>(address) })
        };
        let all = (0..program.entries.len() as u32).map(function).collect();
        let module = Mutex::new(Some(Box::new(module)));
        Ok(Native { functions: all, names: names.all.into(), bytes, module })
    }

    pub(super) fn function(&self, node: NodeId) -> Option<Procedure> {
        self.functions.get(node as usize).copied().flatten()
    }

    pub(super) fn names(&self) -> &[Name] {
        &self.names
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        let module = self.module.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = module.take() {
            // SAFETY: its functions are run while there is a `Native` alone.
            unsafe { module.free_memory() }
        }
    }
}

/// The numbers of pieces of moves: symbols have their own.
pub(super) struct Names {
    all: Vec<Name>,
}

impl Names {
    fn of(program: &Program, symbols: &[Name]) -> Names {
        let mut all = symbols.to_vec();
        all.extend(program.code.iter().filter_map(|op| match op {
            Op::Tag(name) => Some(*name),
            _ => None,
        }));
        Names { all }
    }

    pub fn number(&self, name: Name) -> Option<u32> {
        self.all.iter().position(|&other| other == name).map(|number| number as u32)
    }
}

pub(super) fn signature() -> Signature {
    let mut signature = Signature::new(convention());
    signature.params.extend([AbiParam::new(types::I64); 5]);
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

/// That of `extern "C"` here.
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
