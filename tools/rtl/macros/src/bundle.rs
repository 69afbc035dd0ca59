//! Bundles of ports, their mirrors, and registers for all ports of one.

use crate::carry::replaced;
use crate::tables::{self, Port};
use proc_macro2::TokenStream as Code;
use quote::{quote, ToTokens};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Error, Field, Ident, ItemStruct, PathArguments, Result, Token, Type};

/// `mirror = Name`.
pub struct Mirror(pub Ident);

impl Parse for Mirror {
    fn parse(input: ParseStream) -> Result<Self> {
        let word: Ident = input.parse()?;
        if word != "mirror" {
            return Err(Error::new(word.span(), "`mirror = Name` is expected"));
        }
        input.parse::<Token![=]>()?;
        Ok(Mirror(input.parse()?))
    }
}

/// The other side: the same ports, each in the other direction.
pub fn mirrored(item: &ItemStruct, name: &Ident) -> Result<ItemStruct> {
    tables::bundle_of(item)?;
    let mut other = item.clone();
    other.ident = name.clone();
    other.attrs.retain(|a| !a.path.is_ident("bundle"));
    let turned = |word: &Ident| match word.to_string().as_str() {
        "In" => Some(quote!(Out)),
        "Out" => Some(quote!(In)),
        _ => None,
    };
    for field in &mut other.fields {
        field.ty = syn::parse2(replaced(field.ty.to_token_stream(), &turned))?;
    }
    Ok(other)
}

/// A bundle, and its mirror where there is one.
pub fn bundle(mirror: Option<&Mirror>, item: &ItemStruct) -> Result<Code> {
    let derived = quote!(#[derive(LogicInterface, Clone, Debug, Default)]);
    let Some(Mirror(name)) = mirror else {
        return Ok(quote!(#derived #item));
    };
    let other = mirrored(item, name)?;
    let (mine, theirs) = (item.ident.to_string(), name.to_string());
    Ok(quote! {
        #derived
        #[join = #theirs]
        #item
        #derived
        #[join = #mine]
        #other
    })
}

/// The type of a bundle: its name, and what stands in brackets behind it.
pub fn named(of: &Type) -> Result<(&Ident, Vec<Code>)> {
    let wrong = || Error::new_spanned(of, "the name of a bundle is expected");
    let Type::Path(path) = of else {
        return Err(wrong());
    };
    let last = path.path.segments.last().ok_or_else(wrong)?;
    let arguments = match &last.arguments {
        PathArguments::AngleBracketed(a) => a.args.iter().map(|a| a.to_token_stream()).collect(),
        _ => vec![],
    };
    Ok((&last.ident, arguments))
}

/// The ports of a bundle as fields of the block itself, without a name before theirs.
pub fn ports(of: &Type) -> Result<Vec<Field>> {
    let (name, arguments) = named(of)?;
    let ports = tables::bundle(name)?.with(&arguments).ports;
    let field = |port: Port| {
        let (name, value) = (Ident::new(&port.name, name.span()), port.value);
        let direction = match port.is_in {
            true => quote!(In),
            false => quote!(Out),
        };
        Field::parse_named.parse2(quote!(pub #name: Signal<#direction, #value>))
    };
    ports.into_iter().map(field).collect()
}

/// `#[stage_of(XPorts<…>)] struct XStage;`: a register for each port of the bundle, under its name.
pub fn stage(of: &Type, item: &ItemStruct) -> Result<ItemStruct> {
    let (name, arguments) = named(of)?;
    let bundle = tables::bundle(name)?.with(&arguments);
    let (attributes, visible, generics) = (&item.attrs, &item.vis, &item.generics);
    let ident = &item.ident;
    let fields = bundle.ports.iter().map(|port| {
        let (name, value) = (Ident::new(&port.name, name.span()), &port.value);
        quote!(pub #name: DFF<#value>)
    });
    syn::parse2(quote!(#(#attributes)* #visible struct #ident #generics { #(#fields),* }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mirror_has_the_other_directions_and_the_same_words() {
        let item: ItemStruct = syn::parse_str(
            "/// Asks.\n#[bundle(mirror = Asked)] pub struct Ask<const W: usize> { /// A word.\n pub a: Signal<In, Bits<W>>, pub b: Signal<Out, Bit> }",
        )
        .unwrap();
        let other = mirrored(&item, &syn::parse_str("Asked").unwrap()).unwrap();
        let said = other.to_token_stream().to_string().replace(' ', "");
        assert!(said.contains("pubstructAsked<constW:usize>"), "{said}");
        assert!(
            said.contains("puba:Signal<Out,Bits<W>>,pubb:Signal<In,Bit>"),
            "{said}"
        );
        assert!(said.contains("Aword."), "{said}");
        let both = bundle(Some(&Mirror(syn::parse_str("Asked").unwrap())), &item).unwrap();
        let said = both.to_string().replace(' ', "");
        assert!(
            said.contains("#[join=\"Asked\"]") && said.contains("#[join=\"Ask\"]"),
            "{said}"
        );
        assert!(syn::parse_str::<Mirror>("mirrors = A").is_err());
    }
}
