//! What the attributes read of the crate that is compiled: sizes of blocks by name in `src/sizes.rs`, bundles of ports
//! in `src/bundles.rs`.
//!
//! Both are modules of that crate, so cargo compiles anew when they change. A crate without them has no such tables.

use crate::carry::replaced;
use proc_macro2::TokenStream as Code;
use quote::{quote, ToTokens};
use std::collections::BTreeMap;
use std::path::PathBuf;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{braced, Error, Fields, File, Ident, Item, ItemStruct, Result, Token};

/// Names of the parameters of each block.
pub type Sizes = BTreeMap<String, Vec<String>>;

/// A port of a bundle.
pub struct Port {
    pub name: String,
    /// Driven from outside.
    pub is_in: bool,
    /// What it carries: `Bits<W>`.
    pub value: Code,
}

/// A bundle and its ports in their order.
pub struct Bundle {
    pub parameters: Vec<String>,
    pub ports: Vec<Port>,
}

/// `sizes! { Block, Other { WARPS, WARP_BITS } … }`; the name of a block in a list stands for the list of that block.
struct List(Sizes);

impl Parse for List {
    fn parse(input: ParseStream) -> Result<Self> {
        let (mut all, mut blocks) = (Sizes::new(), vec![]);
        while !input.is_empty() {
            let block: Ident = input.parse()?;
            blocks.push(block.clone());
            if input.parse::<Option<Token![,]>>()?.is_some() {
                continue;
            }
            let inner;
            braced!(inner in input);
            let names = Punctuated::<Ident, Token![,]>::parse_terminated(&inner)?;
            let names: Vec<String> = names.iter().map(Ident::to_string).collect();
            for block in blocks.drain(..) {
                if all.insert(block.to_string(), names.clone()).is_some() {
                    return Err(Error::new(block.span(), "this block has a list already"));
                }
            }
        }
        let lists = all.keys().map(|block| (block.clone(), whole(&all, block)));
        Ok(List(lists.collect()))
    }
}

/// The names of a block, or this one name.
fn whole(all: &Sizes, name: &str) -> Vec<String> {
    match all.get(name) {
        Some(names) => names.iter().flat_map(|name| whole(all, name)).collect(),
        None => vec![name.into()],
    }
}

/// A source of the crate that is compiled, if it has it.
fn source(name: &str) -> Result<Option<File>> {
    let here = proc_macro2::Span::call_site();
    let Some(root) = std::env::var_os("CARGO_MANIFEST_DIR") else {
        return Ok(None);
    };
    let path = PathBuf::from(root).join("src").join(name);
    let said = |e: &dyn std::fmt::Display| Error::new(here, format!("{}: {e}", path.display()));
    match std::fs::read_to_string(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(said(&e)),
        Ok(text) => syn::parse_file(&text).map(Some).map_err(|e| said(&e)),
    }
}

/// The table of sizes, with the parameters of all bundles.
pub fn sizes() -> Result<Sizes> {
    let mut all = Sizes::new();
    if let Some(file) = source("bundles.rs")? {
        for item in structs(file)? {
            let parameters = item.generics.const_params();
            let names = parameters.map(|p| p.ident.to_string()).collect();
            all.insert(item.ident.to_string(), names);
        }
    }
    if let Some(file) = source("sizes.rs")? {
        all.extend(sizes_of(&file)?);
    }
    Ok(all)
}

fn sizes_of(file: &File) -> Result<Sizes> {
    let mut all = Sizes::new();
    for item in &file.items {
        match item {
            Item::Macro(call) if call.mac.path.is_ident("sizes") => {
                all.extend(call.mac.parse_body::<List>()?.0);
            }
            _ => (),
        }
    }
    Ok(all)
}

/// The structs of a file, and the mirror of each bundle that has one.
fn structs(file: File) -> Result<Vec<ItemStruct>> {
    let mut all = vec![];
    for item in file.items {
        let Item::Struct(item) = item else { continue };
        let attribute = item.attrs.iter().find(|a| a.path.is_ident("bundle"));
        if let Some(attribute) = attribute.filter(|a| !a.tokens.is_empty()) {
            let name: crate::bundle::Mirror = attribute.parse_args()?;
            all.push(crate::bundle::mirrored(&item, &name.0)?);
        }
        all.push(item);
    }
    Ok(all)
}

/// A bundle of `bundles.rs`.
///
/// # Errors
/// There is none of this name.
pub fn bundle(name: &Ident) -> Result<Bundle> {
    let file = source("bundles.rs")?;
    let all = file.map_or(Ok(vec![]), structs)?;
    let found = all.into_iter().find(|item| item.ident == *name);
    let none = || Error::new(name.span(), format!("src/bundles.rs has no {name}"));
    bundle_of(&found.ok_or_else(none)?)
}

pub fn bundle_of(item: &ItemStruct) -> Result<Bundle> {
    let Fields::Named(fields) = &item.fields else {
        return Err(Error::new(item.ident.span(), "ports with names are needed"));
    };
    let port = |field: &syn::Field| {
        let name = field.ident.as_ref().expect("named").to_string();
        let (direction, value) = signal(&field.ty)?;
        let is_in = direction == "In";
        Ok(Port { name, is_in, value })
    };
    let parameters = item.generics.const_params();
    Ok(Bundle {
        parameters: parameters.map(|p| p.ident.to_string()).collect(),
        ports: fields.named.iter().map(port).collect::<Result<_>>()?,
    })
}

/// Direction and value of `Signal<In, Bits<W>>`.
fn signal(of: &syn::Type) -> Result<(String, Code)> {
    let wrong = || Error::new_spanned(of, "a bundle has signals only: `Signal<In, …>`");
    let syn::Type::Path(path) = of else {
        return Err(wrong());
    };
    let last = path.path.segments.last().ok_or_else(wrong)?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return Err(wrong());
    };
    let mut arguments = arguments.args.iter().map(|a| a.to_token_stream());
    match (arguments.next(), arguments.next()) {
        (Some(direction), Some(value)) if last.ident == "Signal" => {
            Ok((direction.to_string(), value))
        }
        _ => Err(wrong()),
    }
}

impl Bundle {
    /// With these in place of its parameters.
    pub fn with(mut self, arguments: &[Code]) -> Bundle {
        for port in &mut self.ports {
            let value = std::mem::take(&mut port.value);
            port.value = replaced(value, &|word| {
                let at = self.parameters.iter().position(|p| *word == p.as_str());
                at.and_then(|at| arguments.get(at)).map(|a| quote!(#a))
            });
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_sizes_is_read() {
        let text =
            "//! x\nmacro_rules! sizes { ($($t:tt)*) => {} }\nsizes! { A, C { X, Y, } B { A, Z } }";
        let sizes = sizes_of(&syn::parse_file(text).unwrap()).unwrap();
        assert_eq!(sizes["A"], ["X", "Y"]);
        assert_eq!(sizes["C"], sizes["A"]);
        assert_eq!(sizes["B"], ["X", "Y", "Z"]);
        let twice = syn::parse_file("sizes! { A { X } A { Y } }").unwrap();
        let error = sizes_of(&twice).unwrap_err().to_string();
        assert!(error.contains("already"), "{error}");
    }

    #[test]
    fn a_bundle_is_read_and_its_parameters_put_in() {
        let text = "pub struct AskPorts<const W: usize> { pub valid: Signal<In, Bit>, pub word: Signal<Out, Bits<W>> }";
        let bundle = bundle_of(&syn::parse_str(text).unwrap()).unwrap();
        let bundle = bundle.with(&[quote!({ A + 1 })]);
        let said: Vec<_> = bundle
            .ports
            .iter()
            .map(|p| format!("{} {} {}", p.name, p.is_in, p.value))
            .collect();
        assert_eq!(said, ["valid true Bit", "word false Bits < { A + 1 } >"]);
        let other = syn::parse_str("struct X { a: DFF<Bit> }").unwrap();
        assert!(bundle_of(&other).is_err());
    }
}
