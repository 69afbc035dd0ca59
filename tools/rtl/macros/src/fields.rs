//! The fields of a block, by what they are.

use proc_macro2::TokenStream as Code;
use quote::quote;
use syn::{Fields, Ident, ItemStruct, Result, Type};

/// What a field is to the attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A port, a signal, a constant, or no hardware.
    Plain,
    /// An array: of what, makes no difference to how it begins.
    Array,
    /// A register, or several.
    Register,
    /// A block.
    Block,
}

pub struct Field {
    pub name: Ident,
    pub kind: Kind,
    /// What is inside of arrays and vectors.
    pub inner: Kind,
    /// A register that the kernel assigns in every cycle: no hold line.
    pub always: bool,
    /// What it begins as, where it is not the default of its type.
    pub init: Option<Code>,
}

/// The fields, without the attributes that are meant for us.
pub fn take(item: &mut ItemStruct) -> Result<Vec<Field>> {
    let Fields::Named(fields) = &mut item.fields else {
        return Err(syn::Error::new(
            item.ident.span(),
            "fields with names are needed",
        ));
    };
    let mut all = vec![];
    for field in &mut fields.named {
        let name = field.ident.clone().expect("named");
        let mut init = None;
        let mut always = false;
        let mut kept = vec![];
        for attribute in field.attrs.drain(..) {
            let given = |attribute: &syn::Attribute| attribute.parse_args::<syn::Expr>();
            if attribute.path.is_ident("value") {
                let value = given(&attribute)?;
                init = Some(quote!(Constant::new(#value)));
            } else if attribute.path.is_ident("init") {
                let value = given(&attribute)?;
                init = Some(quote!(#value));
            } else if attribute.path.is_ident("many") {
                let count = given(&attribute)?;
                init = Some(quote!((0..#count).map(|_| Default::default()).collect()));
            } else if attribute.path.is_ident("always") {
                always = true;
            } else {
                kept.push(attribute);
            }
        }
        field.attrs = kept;
        let inner = match name.to_string().starts_with('_') {
            true => Kind::Plain,
            false => kind(&field.ty),
        };
        let kind = match &field.ty {
            Type::Array(_) => Kind::Array,
            _ => inner,
        };
        all.push(Field {
            name,
            kind,
            inner,
            always,
            init,
        });
    }
    Ok(all)
}

/// By the last name of the type.
fn kind(of: &Type) -> Kind {
    match of {
        Type::Array(array) => kind(&array.elem),
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else {
                return Kind::Plain;
            };
            match last.ident.to_string().as_str() {
                "Signal" | "Constant" => Kind::Plain,
                "DFF" => Kind::Register,
                "Vec" => match &last.arguments {
                    syn::PathArguments::AngleBracketed(of) => match of.args.first() {
                        Some(syn::GenericArgument::Type(of)) => kind(of),
                        _ => Kind::Plain,
                    },
                    _ => Kind::Plain,
                },
                // Bundles of ports, and registers of a stage, are known by their names.
                name if name.ends_with("Ports") => Kind::Plain,
                name if name.ends_with("Stage") => Kind::Register,
                _ => Kind::Block,
            }
        }
        _ => Kind::Plain,
    }
}
