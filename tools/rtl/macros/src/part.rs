//! Parts of kernels, and parameters by name.

use crate::tables::Sizes;
use crate::{bundle, carry, tables};
use proc_macro2::TokenStream as Code;
use quote::{quote, ToTokens};
use std::collections::BTreeMap;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Error, Expr, ExprAssign, Fields, GenericArgument, Generics, Ident, ItemStruct, PathArguments,
    Result, Token, Type, TypePath,
};

/// `Block` or `Block<A, B>`, and the name of the part: whose kernel it is.
pub struct Whose {
    block: TypePath,
    name: Option<Type>,
}

impl Parse for Whose {
    fn parse(input: ParseStream) -> Result<Self> {
        let block = input.parse()?;
        let name = match input.parse::<Option<Token![,]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        Ok(Whose { block, name })
    }
}

/// The function as rust-hdl reads it; with `whose`, inside the `impl` that it belongs to.
pub fn part(whose: Option<&Whose>, function: Code) -> Result<Code> {
    let function = carry::expanded(function)?;
    let function = quote!(#[hdl_gen] #function);
    let Some(Whose { block, name }) = whose else {
        return Ok(function);
    };
    let last = block.path.segments.last();
    let last = last.ok_or_else(|| Error::new_spanned(block, "the name of a block is expected"))?;
    let parameters: Vec<Code> = match &last.arguments {
        PathArguments::AngleBracketed(a) => a.args.iter().map(|a| a.to_token_stream()).collect(),
        _ => {
            let names = tables::sizes()?.remove(&last.ident.to_string());
            let word = |name: &String| Ident::new(name, last.ident.span()).to_token_stream();
            names.unwrap_or_default().iter().map(word).collect()
        }
    };
    let mut block = block.clone();
    let given = match parameters.is_empty() {
        true => PathArguments::None,
        false => PathArguments::AngleBracketed(syn::parse2(quote!(<#(#parameters),*>))?),
    };
    block.path.segments.last_mut().expect("seen").arguments = given;
    let name = name.iter();
    Ok(quote! {
        impl<#(const #parameters: usize),*> kernel::Part #(<#name>)* for #block {
            #function
        }
    })
}

/// The struct with its parameters by the list, and with the parameters of the blocks inside by theirs.
pub fn sized(item: &mut ItemStruct, all: &Sizes) -> Result<()> {
    let own = all
        .get(&item.ident.to_string())
        .filter(|_| item.generics.params.is_empty());
    if let Some(names) = own {
        item.generics = parameters(names, &item.ident)?;
    }
    let own: Vec<String> = {
        let known = item.generics.const_params();
        known.map(|p| p.ident.to_string()).collect()
    };
    let block = item.ident.clone();
    let Fields::Named(fields) = &mut item.fields else {
        return Ok(());
    };
    let mut written = Punctuated::new();
    for mut field in std::mem::take(&mut fields.named) {
        let mut given = BTreeMap::new();
        let mut is_flat = false;
        let mut kept = vec![];
        for attribute in field.attrs.drain(..) {
            if attribute.path.is_ident("flat") {
                is_flat = true;
                continue;
            }
            if !attribute.path.is_ident("sizes") {
                kept.push(attribute);
                continue;
            }
            let parser = Punctuated::<ExprAssign, Token![,]>::parse_terminated;
            for one in attribute.parse_args_with(parser)? {
                given.insert(one.left.to_token_stream().to_string(), *one.right);
            }
        }
        field.attrs = kept;
        let mut fill = Fill {
            all,
            own: &own,
            block: &block,
            given,
        };
        fill.fill(&mut field.ty)?;
        if let Some(name) = fill.given.keys().next() {
            let text = format!("no block here has a size {name}");
            return Err(Error::new_spanned(&field.ident, text));
        }
        match is_flat {
            true => written.extend(bundle::ports(&field.ty)?),
            false => written.push(field),
        }
    }
    fields.named = written;
    Ok(())
}

fn parameters(names: &[String], at: &Ident) -> Result<Generics> {
    let names = names.iter().map(|name| Ident::new(name, at.span()));
    syn::parse2(quote!(<#(const #names: usize),*>))
}

/// Gives each block that is named without brackets its parameters, by name.
struct Fill<'a> {
    all: &'a Sizes,
    own: &'a [String],
    block: &'a Ident,
    /// `#[sizes(NAME = value)]`, those not used yet.
    given: BTreeMap<String, Expr>,
}

impl Fill<'_> {
    /// Also in arrays and vectors.
    fn fill(&mut self, of: &mut Type) -> Result<()> {
        let path = match of {
            Type::Array(array) => return self.fill(&mut array.elem),
            Type::Path(path) => path,
            _ => return Ok(()),
        };
        let Some(last) = path.path.segments.last_mut() else {
            return Ok(());
        };
        if let PathArguments::AngleBracketed(arguments) = &mut last.arguments {
            for argument in &mut arguments.args {
                if let GenericArgument::Type(inside) = argument {
                    self.fill(inside)?;
                }
            }
            return Ok(());
        }
        let names = self.all.get(&last.ident.to_string());
        let Some(names) = names.filter(|names| !names.is_empty()) else {
            return Ok(());
        };
        let mut values = vec![];
        for name in names {
            if let Some(value) = self.given.remove(name) {
                values.push(quote!({ #value }));
            } else if self.own.contains(name) {
                let word = Ident::new(name, last.ident.span());
                values.push(quote!(#word));
            } else {
                let text = format!(
                    "`{name}` of {} is no parameter of {}: give #[sizes({name} = …)]",
                    last.ident, self.block
                );
                return Err(Error::new(last.ident.span(), text));
            }
        }
        let arguments = syn::parse2(quote!(<#(#values),*>))?;
        last.arguments = PathArguments::AngleBracketed(arguments);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Sizes {
        let names = |all: &[&str]| all.iter().map(|n| n.to_string()).collect();
        [
            ("Outer".to_string(), names(&["WARPS", "WARP_BITS"])),
            ("Inner".to_string(), names(&["WARP_BITS", "PLACES"])),
        ]
        .into()
    }

    fn given(text: &str) -> String {
        let mut item: ItemStruct = syn::parse_str(text).unwrap();
        match sized(&mut item, &table()) {
            Ok(()) => item.to_token_stream().to_string().replace(' ', ""),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_block_has_the_list_and_gives_the_blocks_inside_theirs() {
        assert_eq!(
            given("struct Outer { #[sizes(PLACES = 2 + WARPS)] #[many(3)] a: Vec<Inner>, b: Other, c: Inner<1, 2> }"),
            "structOuter<constWARPS:usize,constWARP_BITS:usize>{#[many(3)]a:Vec<Inner<WARP_BITS,{2+WARPS}>>,b:Other,c:Inner<1,2>}"
        );
    }

    #[test]
    fn what_is_not_in_the_list_is_said() {
        let said = given("struct Outer { a: Inner }");
        assert_eq!(
            said,
            "`PLACES` of Inner is no parameter of Outer: give #[sizes(PLACES = …)]"
        );
        let said = given("struct Outer { #[sizes(PLACES = 1, ROOM = 2)] a: Inner }");
        assert_eq!(said, "no block here has a size ROOM");
    }

    #[test]
    fn a_part_is_an_impl_of_its_block() {
        let function = || {
            "fn update(&mut self) { carry!(self <- self.a: x); }"
                .parse()
                .unwrap()
        };
        let whose = syn::parse_str("Short<W, D>, Take").unwrap();
        let said = part(Some(&whose), function()).unwrap().to_string();
        assert_eq!(
            said.replace(' ', ""),
            "impl<constW:usize,constD:usize>kernel::Part<Take>forShort<W,D>{#[hdl_gen]fnupdate(&mutself){self.x.next=self.a.x.val();}}"
        );
        let said = part(None, function()).unwrap().to_string();
        assert_eq!(
            said.replace(' ', ""),
            "#[hdl_gen]fnupdate(&mutself){self.x.next=self.a.x.val();}"
        );
    }
}
