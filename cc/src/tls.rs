//! Thread-local variables (CC-015): what a compiler writes for them, in terms of a template that each thread copies.
//!
//! tp is what has to be added to an address in the template to come to the thread's own copy (start.s), so an address
//! in the template takes the place of an offset from tp, and stock linkers need to know nothing of thread-local storage.

use std::borrow::Cow;

/// Sections of the template, by the beginning of their names.
pub(crate) const TEMPLATE: [&str; 2] = [".weft_tdata", ".weft_tbss"];

/// A compiler's assembly with the template in place of thread-local storage. Line numbers stay.
pub(crate) fn rewritten(assembly: &str) -> Cow<'_, str> {
    if !assembly.contains("%tprel_") && !assembly.contains(".tdata") && !assembly.contains(".tbss")
    {
        return Cow::Borrowed(assembly);
    }
    let lines = assembly.split_inclusive('\n').map(line);
    // The linker must not turn an address of the template into one relative to gp.
    Cow::Owned(
        std::iter::once(Cow::Borrowed("\t.option\tnorelax; "))
            .chain(lines)
            .collect(),
    )
}

fn line(line: &str) -> Cow<'_, str> {
    let statement = line.trim_start();
    if let Some(operands) = statement.strip_prefix(".section") {
        let name = operands.trim_start();
        if name.starts_with(".tdata") || name.starts_with(".tbss") {
            let plain = line
                .replacen(".tdata", TEMPLATE[0], 1)
                .replacen(".tbss", TEMPLATE[1], 1);
            return match plain.split('"').nth(1) {
                Some(flags) => plain.replacen(flags, &flags.replace('T', ""), 1).into(),
                None => plain.into(),
            };
        }
    }
    if !line.contains("%tprel_") || statement.starts_with('.') {
        return Cow::Borrowed(line);
    }
    let plain = line
        .replace("%tprel_hi(", "%hi(")
        .replace("%tprel_lo(", "%lo(");
    match plain
        .find("%tprel_add(")
        .and_then(|at| Some((plain[..at].rfind(',')?, at)))
    {
        Some((comma, at)) => {
            let end = plain[at..].find(')').map_or(plain.len(), |n| at + n + 1);
            format!("{}{}", &plain[..comma], &plain[end..]).into()
        }
        None => plain.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_from_tp_become_addresses_of_the_template() {
        let text = "\tlui\ta5,%tprel_hi(x)\n\tadd\ta5,a5,tp,%tprel_add(x)\n\tlw a0, %tprel_lo(x+4)(a5) # x\n\
                    \t.section\t.tbss.x,\"awT\",@nobits\n\t.section .tdata,\"awTG\",@progbits,x,comdat\n\t.word 1\n";
        let want = "\t.option\tnorelax; \tlui\ta5,%hi(x)\n\tadd\ta5,a5,tp\n\tlw a0, %lo(x+4)(a5) # x\n\
                    \t.section\t.weft_tbss.x,\"aw\",@nobits\n\t.section .weft_tdata,\"awG\",@progbits,x,comdat\n\t.word 1\n";
        assert_eq!(rewritten(text), want);
        let plain = "\t.string \"%tprel\"\n\tadd a5,a5,tp\n";
        assert_eq!(rewritten(plain), plain);
    }
}
