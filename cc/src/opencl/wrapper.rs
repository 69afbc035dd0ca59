//! What is added to the user's text and to its assembly (CL-010, CL-013).

use super::program::AddressSpace;
use super::signature::{symbol, ArgumentSignature, KernelSignature, Signature};
use super::ARGUMENTS;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Symbols that are made for a kernel.
pub(super) fn start(kernel: &str) -> String {
    format!("__weft_start_{kernel}")
}

pub(super) fn layout(kernel: &str) -> String {
    format!("__weft_layout_{kernel}")
}

/// The file that what is added to the user's text seems to stand in.
pub const WRAPPER: &str = "<wrapper>";
/// Lines that the wrapper of a kernel has at most, so that one tells the kernel.
const LINES: usize = 10_000;

/// Wrappers of all kernels, and words that say how their arguments are laid out: size of the struct, then offset, size
/// and alignment of each argument.
pub(super) fn source(signature: &Signature) -> String {
    let mut text = String::from("\n");
    for (number, kernel) in signature.kernels.iter().enumerate() {
        text.push_str(&format!("#line {} \"{WRAPPER}\"\n", number * LINES + 1));
        wrap(&mut text, kernel).expect("a string takes all");
    }
    text
}

fn wrap(text: &mut String, kernel: &KernelSignature) -> std::fmt::Result {
    let name = &kernel.name;
    let arguments = || kernel.arguments.iter().enumerate();
    writeln!(text, "struct __weft_arguments_{name} {{")?;
    for (at, argument) in arguments() {
        match argument.space {
            // *Why void:* a pointer to anything becomes one, and no name of a type is needed.
            AddressSpace::Global => writeln!(text, " __global void *__weft_{at};")?,
            AddressSpace::Constant => writeln!(text, " __constant void *__weft_{at};")?,
            AddressSpace::Local => writeln!(text, " __local void *__weft_{at};")?,
            AddressSpace::Private => {
                let name = argument.wrapped_as.as_ref().unwrap_or(&argument.type_name);
                writeln!(text, " {name} __weft_{at};")?;
            }
        }
    }
    writeln!(text, "}};")?;
    write!(
        text,
        "void __weft_call_{name}(__constant struct __weft_arguments_{name} *__weft_p) {{ {name}("
    )?;
    for (at, _) in arguments() {
        let comma = if at == 0 { "" } else { ", " };
        write!(text, "{comma}__weft_p->__weft_{at}")?;
    }
    writeln!(text, "); }}")?;
    let size = match kernel.arguments.is_empty() {
        true => "0".into(),
        false => format!("sizeof(struct __weft_arguments_{name})"),
    };
    write!(text, "__constant unsigned {}[] = {{ {size}", layout(name))?;
    for (at, _) in arguments() {
        let member = format!("((struct __weft_arguments_{name} *)0)->__weft_{at}");
        write!(
            text,
            ", __builtin_offsetof(struct __weft_arguments_{name}, __weft_{at}), sizeof({member}), __alignof__({member})"
        )?;
    }
    writeln!(text, " }};")
}

/// CL-005, CL-008: what the compiler says of a wrapper is about an argument that cannot be handed over. One line, with
/// the kernel's place.
pub(super) fn refusal(log: &str, signature: &Signature) -> Option<String> {
    let mut lines = log.lines();
    let line = lines.find(|l| l.contains(WRAPPER) && l.contains("error: "))?;
    let (_, rest) = line.split_once(&format!("{WRAPPER}:"))?;
    let said = rest.split_once("error: ")?.1;
    let number = rest.split(':').next()?.parse::<usize>().ok()?;
    let kernel = signature.kernels.get(number / LINES)?;
    let name = &kernel.name;
    let place = kernel.place.as_deref().unwrap_or(name);
    // The struct's first line, then one for each argument.
    let argument = (number % LINES).checked_sub(2);
    let Some(argument) = argument.and_then(|at| kernel.arguments.get(at)) else {
        return Some(format!("{place}: kernel `{name}`: {said}"));
    };
    let why = match said.contains("anonymous") {
        true => "a structure without a name, from a macro or another file; give it one".into(),
        false => format!("{}: {said}", argument.type_name),
    };
    Some(refused(kernel, argument, &why))
}

/// CL-008: an argument of a type that there is not.
pub(super) fn unfit(signature: &Signature) -> Option<String> {
    let mut all = signature.kernels.iter().flat_map(|kernel| {
        let arguments = kernel.arguments.iter();
        arguments.map(move |argument| (kernel, argument))
    });
    all.find_map(|(kernel, argument)| {
        let ty = argument.base_type_name.as_str();
        let is_image = ty
            .strip_prefix("image")
            .is_some_and(|rest| rest.starts_with(['1', '2', '3']) && rest.ends_with("_t"));
        let why = match ty {
            "sampler_t" => "there are no samplers",
            _ if is_image => "there are no images",
            _ => return None,
        };
        Some(refused(kernel, argument, why))
    })
}

fn refused(kernel: &KernelSignature, argument: &ArgumentSignature, why: &str) -> String {
    let (name, argument) = (&kernel.name, &argument.name);
    let place = kernel.place.as_deref().unwrap_or(name);
    format!("{place}: kernel `{name}`, argument `{argument}`: {why}")
}

/// Names of C's library are free in OpenCL C, but the library is linked in, and compilers call some of it: in the IR such
/// a name of the source gets this behind it. `printf` is OpenCL's, too.
pub const OWN_NAME: &str = ".cl";

pub(super) fn with_own_names(ir: &str) -> String {
    let of_c = |name: &str| name != "printf" && crate::runtime::has(name);
    let word = |c: char| c.is_ascii_alphanumeric() || "_.$-".contains(c);
    let mut out = String::with_capacity(ir.len());
    for line in ir.split_inclusive('\n') {
        // Between quotes stand texts.
        for (number, part) in line.split('"').enumerate() {
            if number > 0 {
                out.push('"');
            }
            let mut rest = part;
            while let Some(at) = rest.find('@').filter(|_| number % 2 == 0) {
                let end = rest[at + 1..].find(|c| !word(c));
                let end = end.map_or(rest.len(), |end| at + 1 + end);
                out.push_str(&rest[..end]);
                if of_c(&rest[at + 1..end]) {
                    out.push_str(OWN_NAME);
                }
                rest = &rest[end..];
            }
            out.push_str(rest);
        }
    }
    out
}

/// Entries of all kernels, in assembly.
pub(super) fn entries(signature: &Signature) -> String {
    let mut text = String::new();
    for kernel in &signature.kernels {
        let (name, start) = (&kernel.name, start(&kernel.name));
        write!(
            text,
            "\n\t.section\t.text.{start},\"ax\",@progbits\n\t.p2align\t2\n\t.globl\t{start}\n\t.type\t{start},@function\n\
             {start}:\n\t.option\tpush\n\t.option\tnorelax\n\tla\tgp, __global_pointer$\n\t.option\tpop\n\
             \tmv\ttp, a2\n\taddi\ta0, a2, {ARGUMENTS}\n\tcall\t__weft_call_{name}\n\
             \t.insn\ti 0x5B, 2, x0, 0(x0)\n\t.size\t{start}, .-{start}\n"
        )
        .expect("a string takes all");
    }
    text
}

/// CL-017. `__local` variables in the IR as what others may write, too: the compiler takes what only one function names,
/// and whose address goes nowhere, to be changed by nobody behind a barrier.
pub(super) fn with_shared(ir: &str, locals: &BTreeSet<String>) -> String {
    let mut out = String::with_capacity(ir.len());
    for line in ir.split_inclusive('\n') {
        let local = line.starts_with('@') && symbol(line).is_some_and(|s| locals.contains(&s));
        match local {
            true => out.push_str(&line.replacen(" = internal ", " = dso_local ", 1)),
            false => out.push_str(line),
        }
    }
    out
}

/// `__local` variables into the scratchpad: their sections get the name that the linker script knows.
pub(super) fn with_locals(assembly: &str, locals: &BTreeSet<String>) -> String {
    let mut out = String::with_capacity(assembly.len());
    for line in assembly.split_inclusive('\n') {
        let section = line.trim_start().strip_prefix(".section");
        let name = section.map(|rest| rest.trim_start().split(',').next().unwrap_or(""));
        let name = name.map(|name| name.trim().trim_matches('"'));
        let symbol = name.and_then(|name| {
            let name = name
                .strip_prefix(".bss.")
                .or_else(|| name.strip_prefix(".sbss."));
            name.filter(|symbol| locals.contains(*symbol))
        });
        match symbol {
            Some(symbol) => {
                out.push_str(&format!(
                    "\t.section\t.weft_shared.{symbol},\"aw\",@nobits\n"
                ));
            }
            None => out.push_str(line),
        }
    }
    out
}

/// Calls of `printf` go to the one that knows the rules of OpenCL (CL-030), which C's is not.
pub(super) fn with_own_printf(assembly: &str) -> String {
    let line = |line: &str| match line.split_whitespace().collect::<Vec<_>>()[..] {
        [call @ ("call" | "tail"), "printf"] => format!("\t{call}\t__weft_opencl_printf\n"),
        _ => line.to_string(),
    };
    assembly.split_inclusive('\n').map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_c_are_the_sources_own() {
        let ir = "@abort = constant i32 3\n@s = constant [9 x i8] c\"me@exit\\22\\00\"\n\
                  define i32 @exit(i32 %0) {\n  call void @memset(ptr @abort)\n  call void @llvm.memset.p0(i32 0)\n  \
                  call i32 @printf(ptr @s)\n  call i32 @exits(i32 @exit)\n@\"a b\" = alias @strlen\n";
        let want = "@abort.cl = constant i32 3\n@s = constant [9 x i8] c\"me@exit\\22\\00\"\n\
                    define i32 @exit.cl(i32 %0) {\n  call void @memset.cl(ptr @abort.cl)\n  \
                    call void @llvm.memset.p0(i32 0)\n  call i32 @printf(ptr @s)\n  \
                    call i32 @exits(i32 @exit.cl)\n@\"a b\" = alias @strlen.cl\n";
        assert_eq!(with_own_names(ir), want);
    }

    #[test]
    fn local_variables_go_into_the_scratchpad_and_others_do_not() {
        let locals = ["k.q".to_string()].into();
        let text =
            "\t.section\t.bss.k.q,\"aw\",@nobits\nk.q:\n\t.section\t.bss.k.qq,\"aw\",@nobits\n\t.section\t.text.k.q,\"ax\",@progbits\n";
        let want = "\t.section\t.weft_shared.k.q,\"aw\",@nobits\nk.q:\n\t.section\t.bss.k.qq,\"aw\",@nobits\n\t.section\t.text.k.q,\"ax\",@progbits\n";
        assert_eq!(with_locals(text, &locals), want);
        let ir =
            "@k.q = internal global [4 x i32] undef, align 4\n@k.qq = internal global i32 undef\n";
        let want =
            "@k.q = dso_local global [4 x i32] undef, align 4\n@k.qq = internal global i32 undef\n";
        assert_eq!(with_shared(ir, &locals), want);
    }
}
