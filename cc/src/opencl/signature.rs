//! Kernels and their arguments, from the compiler's IR as text: `kernel_arg_*` metadata, and names of `__local`
//! variables.

use super::program::{Access, AddressSpace};
use std::collections::{BTreeMap, BTreeSet};

/// What the IR of a source says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Signature {
    /// In the order of the source.
    pub kernels: Vec<KernelSignature>,
    /// Symbols of `__local` variables.
    pub locals: BTreeSet<String>,
    /// Functions that are called and not defined, with their mangled names.
    pub wanted: Vec<String>,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct KernelSignature {
    pub name: String,
    /// File and line of the source.
    pub place: Option<String>,
    pub arguments: Vec<ArgumentSignature>,
    pub required_size: Option<[u32; 3]>,
    pub size_hint: Option<[u32; 3]>,
    pub attributes: String,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct ArgumentSignature {
    pub name: String,
    pub type_name: String,
    pub base_type_name: String,
    /// What a wrapper calls its type, where that has no name of its own.
    pub wrapped_as: Option<String>,
    pub space: AddressSpace,
    pub access: Access,
    pub qualifiers: String,
}

/// Reads IR that was made with `-cl-kernel-arg-info` and `-ffake-address-space-map`.
pub(super) fn read(ir: &str) -> Signature {
    let nodes: BTreeMap<&str, &str> = ir.lines().filter_map(node).collect();
    let mut signature = Signature::default();
    for line in ir.lines() {
        if let Some(rest) = line.strip_prefix("define ") {
            if rest.contains(" spir_kernel ") {
                let found = kernel(rest, &nodes);
                signature
                    .kernels
                    .extend(found.map(|kernel| KernelSignature {
                        place: place(rest, ir),
                        ..kernel
                    }));
            }
        } else if line.starts_with("declare ") {
            let name = symbol(line).filter(|name| !name.starts_with("llvm."));
            signature.wanted.extend(name);
        } else if line.starts_with('@') && line.contains(" addrspace(3) ") {
            signature.locals.extend(symbol(line));
        }
    }
    signature
}

/// `!13 = !{i32 1}`, also `distinct`.
fn node(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(" = ")?;
    let value = value.strip_prefix("distinct ").unwrap_or(value);
    Some((
        name.strip_prefix('!')?,
        value.strip_prefix("!{")?.strip_suffix('}')?,
    ))
}

/// File and line of a function, by its debug information.
fn place(define: &str, ir: &str) -> Option<String> {
    let node = |number: &str| {
        let begin = format!("!{number} = ");
        ir.lines().find(|line| line.starts_with(&begin))
    };
    let number = |text: &str, before: &str| {
        let (_, rest) = text.split_once(before)?;
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        (!number.is_empty()).then_some(number)
    };
    let function = node(&number(define, "!dbg !")?)?;
    let file = node(&number(function, "file: !")?)?;
    let name = file.split_once("filename: \"")?.1.split('"').next()?;
    Some(format!("{name}:{}", number(function, " line: ")?))
}

/// The first `@name` or `@"name"`.
pub(super) fn symbol(line: &str) -> Option<String> {
    let rest = &line[line.find('@')? + 1..];
    Some(match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?.into(),
        None => {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || "_.$-".contains(c)));
            rest[..end.unwrap_or(rest.len())].into()
        }
    })
}

/// Members of a node: strings without their quotes, numbers as they stand.
fn members(text: &str) -> Vec<String> {
    let mut members = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = match rest.strip_prefix("!\"") {
            Some(string) => string.find('"').map_or(rest.len(), |end| end + 3),
            None => {
                // A type in angle brackets or braces has commas of its own only in structs.
                rest.find(',').unwrap_or(rest.len())
            }
        };
        let member = rest[..end].trim();
        let member = member
            .strip_prefix("!\"")
            .map_or(member, |m| &m[..m.len() - 1]);
        members.push(member.to_string());
        rest = rest[end..].trim_start_matches(',').trim_start();
    }
    members
}

fn kernel(define: &str, nodes: &BTreeMap<&str, &str>) -> Option<KernelSignature> {
    let name = symbol(define)?;
    let attached = |what: &str| -> Option<Vec<String>> {
        let (_, rest) = define.split_once(&format!("!{what} !"))?;
        let number = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        nodes.get(number).map(|text| members(text))
    };
    let number = |member: &String| -> Option<u32> { member.rsplit(' ').next()?.parse().ok() };
    let size = |what: &str| -> Option<[u32; 3]> {
        let size: Vec<u32> = attached(what)?.iter().filter_map(number).collect();
        size.try_into().ok()
    };
    let list = |what: &str| attached(what).unwrap_or_default();
    let (spaces, types) = (list("kernel_arg_addr_space"), list("kernel_arg_type"));
    let bases = list("kernel_arg_base_type");
    let (names, qualifiers) = (list("kernel_arg_name"), list("kernel_arg_type_qual"));
    let accesses = list("kernel_arg_access_qual");
    let of = |list: &[String], at: usize| list.get(at).cloned().unwrap_or_default();
    let arguments = types.iter().enumerate().map(|(at, type_name)| {
        let qualifiers = of(&qualifiers, at);
        ArgumentSignature {
            name: of(&names, at),
            type_name: type_name.clone(),
            base_type_name: of(&bases, at),
            wrapped_as: None,
            space: match spaces.get(at).and_then(number) {
                Some(1) => AddressSpace::Global,
                Some(2) => AddressSpace::Constant,
                Some(3) => AddressSpace::Local,
                _ => AddressSpace::Private,
            },
            access: match of(&accesses, at).as_str() {
                "read_only" => Access::ReadOnly,
                "write_only" => Access::WriteOnly,
                "read_write" => Access::ReadWrite,
                _ => Access::None,
            },
            qualifiers,
        }
    });
    let (required_size, size_hint) = (size("reqd_work_group_size"), size("work_group_size_hint"));
    let mut attributes = Vec::new();
    if let Some([x, y, z]) = required_size {
        attributes.push(format!("reqd_work_group_size({x},{y},{z})"));
    }
    if let Some([x, y, z]) = size_hint {
        attributes.push(format!("work_group_size_hint({x},{y},{z})"));
    }
    if let Some(hint) = attached("vec_type_hint").as_deref().and_then(hinted_type) {
        attributes.push(format!("vec_type_hint({hint})"));
    }
    Some(KernelSignature {
        name,
        place: None,
        arguments: arguments.collect(),
        required_size,
        size_hint,
        attributes: attributes.join(" "),
    })
}

/// `<4 x float> undef`, `i32 1` (signed): `float4`.
fn hinted_type(hint: &[String]) -> Option<String> {
    let ty = hint
        .first()?
        .split(" undef")
        .next()?
        .split(" poison")
        .next()?;
    let signed = hint.get(1).is_none_or(|sign| sign.ends_with('1'));
    let (width, scalar) = match ty.strip_prefix('<').and_then(|v| v.strip_suffix('>')) {
        Some(vector) => vector.split_once(" x ")?,
        None => ("", ty),
    };
    let name = match scalar {
        "i8" => "char",
        "i16" => "short",
        "i32" => "int",
        "i64" => "long",
        other => other,
    };
    let unsigned = if !signed && scalar.starts_with('i') {
        "u"
    } else {
        ""
    };
    Some(format!("{unsigned}{name}{width}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const IR: &str = r#"
@tab = dso_local addrspace(2) constant [3 x float] zeroinitializer, align 4
@k.q = internal addrspace(3) global [16 x i32] undef, align 4
@"k.q.1" = internal addrspace(3) global i32 undef, align 4
define dso_local float @helper(float noundef %0) #0 {
define dso_local spir_kernel void @k(ptr addrspace(1) %0, i32 %1, ptr addrspace(3) %2) #2 !kernel_arg_addr_space !13 !kernel_arg_access_qual !14 !kernel_arg_type !15 !kernel_arg_base_type !16 !kernel_arg_type_qual !17 !kernel_arg_name !18 !reqd_work_group_size !19 !vec_type_hint !20 {
define dso_local void @__clang_ocl_kern_imp_k(ptr addrspace(1) %0) #3 !kernel_arg_addr_space !13 {
define dso_local spir_kernel void @none() #2 !dbg !22 !kernel_arg_addr_space !21 !kernel_arg_type !21 {
declare dso_local float @_Z3sinf(float noundef) #1
declare void @llvm.lifetime.start.p0(ptr) #4
!13 = !{i32 1, i32 0, i32 3}
!14 = !{!"none", !"none", !"none"}
!15 = !{!"real*", !"struct pair", !"int*"}
!16 = !{!"float*", !"struct pair", !"int*"}
!17 = !{!"restrict const", !"", !""}
!18 = !{!"a", !"n", !"l"}
!19 = !{i32 8, i32 4, i32 1}
!20 = !{<4 x i32> undef, i32 0}
!21 = !{}
!22 = distinct !DISubprogram(name: "none", scope: !23, file: !23, line: 7, type: !21, scopeLine: 8, unit: !24)
!23 = !DIFile(filename: "dir/k.cl", directory: "/d")
"#;

    #[test]
    fn kernels_and_locals_are_found() {
        let signature = read(IR);
        assert_eq!(signature.kernels.len(), 2);
        let kernel = &signature.kernels[0];
        assert_eq!(kernel.name, "k");
        assert_eq!(kernel.required_size, Some([8, 4, 1]));
        assert_eq!(
            kernel.attributes,
            "reqd_work_group_size(8,4,1) vec_type_hint(uint4)"
        );
        let spaces: Vec<_> = kernel.arguments.iter().map(|a| a.space).collect();
        use AddressSpace::{Global, Local, Private};
        assert_eq!(spaces, [Global, Private, Local]);
        assert_eq!(kernel.arguments[1].type_name, "struct pair");
        let first = &kernel.arguments[0];
        let names = (&*first.type_name, &*first.base_type_name);
        assert_eq!(names, ("real*", "float*"));
        assert_eq!(kernel.arguments[0].qualifiers, "restrict const");
        assert_eq!(signature.kernels[1].arguments, []);
        assert_eq!(kernel.place, None);
        assert_eq!(signature.kernels[1].place.as_deref(), Some("dir/k.cl:7"));
        let locals: Vec<_> = signature.locals.iter().map(String::as_str).collect();
        assert_eq!(locals, ["k.q", "k.q.1"]);
        assert_eq!(signature.wanted, ["_Z3sinf"]);
    }
}
