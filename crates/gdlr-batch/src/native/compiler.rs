//! Instructions of 128 bits, by the compiler Cranelift: of SSE2 or AVX, or of NEON.
//!
//! Cranelift is told of a value where it is written, and of no more values at once than there are
//! registers. So it puts none of them aside.

use super::mapping::Operation;
use super::target::{Location, Register, Target};
use crate::program::Slot;
use crate::simd128::Simd128;
use cranelift_codegen::Context;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::types::{I64, I64X2};
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, MemFlagsData, Value};
use cranelift_codegen::isa::{Builder, CallConv, TargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};
use hashbrown::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};
use target_lexicon::Architecture;

/// How many bytes a slot takes.
const SLOT: i64 = size_of::<Simd128>() as i64;

/// The parts of a compiler that depend on the kind of processor.
#[derive(Clone, Copy)]
struct Kind {
    /// How many values are in registers at once.
    registers: usize,
    /// The slot at the address that procedures are told.
    middle: i64,
    /// How many slots behind an address an instruction can name.
    reach: i64,
}

impl Kind {
    /// That of some instructions; none where nobody has tried their registers of 128 bits.
    fn of(instructions: &dyn TargetIsa) -> Option<Kind> {
        Some(match instructions.triple().architecture {
            // Distances from -128 to 127 are short in instructions, and all others have 32 bits.
            Architecture::X86_64 => {
                Kind { registers: 16, middle: 128 / SLOT, reach: i64::from(i32::MAX) / SLOT }
            }
            // Cranelift needs some of 32 registers; distances are 12 bits, counted in slots.
            Architecture::Aarch64(_) => Kind { registers: 30, middle: 0, reach: 1 << 12 },
            _ => return None,
        })
    }
}

/// Writes procedures for this processor.
pub(super) struct Compiler {
    kind: Kind,
    module: JITModule,
    context: Context,
    /// The procedure that is written.
    open: Option<Open>,
    /// By register: the value in it.
    values: Vec<Option<Value>>,
    procedures: Vec<FuncId>,
    /// By procedure: its code.
    #[cfg(test)]
    pub written: Vec<Vec<u8>>,
    bytes: usize,
    /// Whether a procedure could not be compiled.
    has_failed: bool,
}

/// A procedure that is not yet ended.
struct Open {
    block: Block,
    /// By how often [`Kind::reach`] goes into the distance of a slot: the address from which it is named.
    addresses: HashMap<i64, Value>,
}

/// A procedure that is told the address of its slots.
#[cfg(target_arch = "x86_64")]
type Procedure = unsafe extern "sysv64" fn(*mut u8);
#[cfg(not(target_arch = "x86_64"))]
type Procedure = unsafe extern "C" fn(*mut u8);

/// Procedures to be run.
pub(super) struct Executable {
    procedures: Box<[Procedure]>,
    /// How far behind the first slot the address is that procedures are told, in bytes.
    middle: isize,
    bytes: usize,
    /// Holds the memory of the procedures, and is not asked for anything. It is locked so that others may
    /// run them at the same time.
    module: Mutex<Option<Box<JITModule>>>,
}

impl Compiler {
    /// No procedures yet; nothing where there is no code for this kind of processor.
    pub fn new() -> Option<Compiler> {
        Compiler::with_instructions(cranelift_native::builder().ok()?)
    }

    /// With some of the instructions that this processor has.
    pub fn with_instructions(builder: Builder) -> Option<Compiler> {
        let flags = flags().expect("Cranelift knows its settings");
        let instructions = builder.finish(settings::Flags::new(flags)).ok()?;
        let kind = Kind::of(&*instructions)?;
        let module = JITModule::new(JITBuilder::with_isa(instructions, default_libcall_names()));
        Some(Compiler {
            kind,
            context: module.make_context(),
            module,
            open: None,
            values: Vec::new(),
            procedures: Vec::new(),
            #[cfg(test)]
            written: Vec::new(),
            bytes: 0,
            has_failed: false,
        })
    }

    /// The procedures; nothing where one could not be compiled, or may not be run.
    pub fn finish(mut self) -> Option<Executable> {
        let is_ready = !self.has_failed && self.module.finalize_definitions().is_ok();
        let address = |&id: &FuncId| self.module.get_finalized_function(id);
        let addresses = is_ready.then(|| self.procedures.iter().map(address).collect::<Vec<_>>());
        // SAFETY: each was declared as a function with this signature and convention.
        let procedure = |address| unsafe { std::mem::transmute::<*const u8, Procedure>(address) };
        let procedures = addresses.into_iter().flatten().map(procedure).collect();
        let module = Mutex::new(Some(Box::new(self.module)));
        // A dropped module gives its memory back.
        let middle = (self.kind.middle * SLOT) as isize;
        let executable = Executable { procedures, middle, bytes: self.bytes, module };
        is_ready.then_some(executable)
    }

    /// Whether there are procedures that can be run here.
    pub fn may_run() -> bool {
        static MAY_RUN: OnceLock<bool> = OnceLock::new();
        *MAY_RUN.get_or_init(|| {
            let executable = Compiler::new().and_then(|mut compiler| {
                compiler.begin();
                compiler.end();
                compiler.finish()
            });
            executable.is_some()
        })
    }

    /// Where the next instruction goes.
    fn next(&mut self) -> FuncCursor<'_> {
        let block = self.open.as_ref().expect("a procedure has begun").block;
        FuncCursor::new(&mut self.context.func).at_bottom(block)
    }

    /// Where a slot is: an address, and the distance from it in bytes.
    fn address(&mut self, slot: Slot) -> (Value, i32) {
        let Kind { middle, reach, .. } = self.kind;
        let distance = i64::from(slot) - middle;
        let times = distance.max(0) / reach;
        let rest = i32::try_from((distance - times * reach) * SLOT).expect("it is within reach");
        let addresses = &self.open.as_ref().expect("a procedure has begun").addresses;
        let (first, at) = (addresses[&0], times * reach * SLOT);
        let address = addresses.get(&times).copied().unwrap_or_else(|| {
            let behind = self.next().ins().iconst(I64, -at);
            // Were it a sum, it would be made again for each slot.
            self.next().ins().isub(first, behind)
        });
        self.open.as_mut().expect("a procedure has begun").addresses.insert(times, address);
        (address, rest)
    }

    fn value(&mut self, place: Location) -> Value {
        match place {
            Location::Register(register) => {
                self.values[usize::from(register.0)].expect("a value was written there")
            }
            Location::Slot(slot) => {
                let (address, distance) = self.address(slot);
                self.next().ins().load(I64X2, MemFlagsData::trusted(), address, distance)
            }
        }
    }

    /// Compiles the procedure that was written; nothing where that fails.
    fn compile(&mut self) -> Option<()> {
        let id = self.module.declare_anonymous_function(&self.context.func.signature).ok()?;
        self.module.define_function(id, &mut self.context).ok()?;
        let code = self.context.compiled_code()?.code_buffer();
        self.bytes += code.len();
        #[cfg(test)]
        self.written.push(code.to_vec());
        self.procedures.push(id);
        Some(())
    }
}

/// How code is made: its instructions are chosen already, and stand in order.
fn flags() -> Result<settings::Builder, settings::SetError> {
    let mut flags = settings::builder();
    flags.set("opt_level", "none")?;
    flags.set("enable_alias_analysis", "false")?;
    flags.set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" })?;
    flags.set("preserve_frame_pointers", "false")?;
    flags.set("unwind_info", "false")?;
    // As the functions of `cranelift_jit` have it.
    flags.set("is_pic", "false")?;
    flags.set("use_colocated_libcalls", "false")?;
    Ok(flags)
}

impl Target for Compiler {
    fn registers(&self) -> usize {
        self.kind.registers
    }

    fn has_lut3(&self) -> bool {
        false
    }

    fn begin(&mut self) -> usize {
        self.module.clear_context(&mut self.context);
        self.values = vec![None; self.kind.registers];
        let pointer = self.module.target_config().pointer_type();
        let function = &mut self.context.func;
        function.signature.params.push(AbiParam::new(pointer));
        if cfg!(target_arch = "x86_64") {
            function.signature.call_conv = CallConv::SystemV;
        }
        let block = function.dfg.make_block();
        let address = function.dfg.append_block_param(block, pointer);
        function.layout.append_block(block);
        self.open = Some(Open { block, addresses: HashMap::from_iter([(0, address)]) });
        self.procedures.len()
    }

    fn clear(&mut self, to: Register) {
        let none = self.next().ins().iconst(I64, 0);
        self.values[usize::from(to.0)] = Some(self.next().ins().splat(I64X2, none));
    }

    fn copy(&mut self, to: Register, from: Location) {
        self.values[usize::from(to.0)] = Some(self.value(from));
    }

    fn store(&mut self, slot: Slot, from: Register) {
        let value = self.value(Location::Register(from));
        let (address, distance) = self.address(slot);
        self.next().ins().store(MemFlagsData::trusted(), value, address, distance);
    }

    fn binary(&mut self, operation: Operation, to: Register, first: Register, second: Location) {
        let [first, second] = [Location::Register(first), second].map(|place| self.value(place));
        let mut next = self.next();
        self.values[usize::from(to.0)] = Some(match operation {
            Operation::And => next.ins().band(first, second),
            Operation::Or => next.ins().bor(first, second),
            Operation::Xor => next.ins().bxor(first, second),
            Operation::AndNot => next.ins().band_not(second, first),
        });
    }

    fn lut3(&mut self, _: Register, _: Register, _: Location, _: u8) {
        unreachable!("functions of three values are mapped to those of two");
    }

    fn end(&mut self) {
        self.next().ins().return_(&[]);
        self.has_failed |= self.compile().is_none();
        self.open = None;
    }
}

impl Executable {
    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// Runs a procedure, by its number.
    ///
    /// # Safety
    ///
    /// All slots that the procedure names are in the memory that begins at `slots`, aligned as a plane.
    #[inline(always)]
    pub unsafe fn run(&self, number: usize, slots: *mut u8) {
        // SAFETY: the procedure reads and writes slots alone, at their distances from this address,
        // which need not be in the memory. Its code is there as long as `self`.
        unsafe { self.procedures[number](slots.wrapping_offset(self.middle)) }
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        let module = self.module.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = module.take() {
            // SAFETY: its procedures are run by `Executable::run` alone, which nobody calls any more.
            unsafe { module.free_memory() }
        }
    }
}
