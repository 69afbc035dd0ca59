//! Attributes that write what every block repeats.
//!
//! | attribute | on | writes |
//! |---|---|---|
//! | `#[module]` | a block with a kernel | `LogicBlock`, `Default`, and `Logic` of its parts behind clock and hold lines |
//! | `#[cell]` | a block whose `Logic` is written by hand | `LogicBlock`, `Default` |
//! | `#[registers]` | registers of one stage | one thing of them: clocked and held in one line, named `stage_field` |
//!
//! They write nothing of what a block does, and the Verilog is what the lines written by hand would give.

#![forbid(unsafe_code)]

mod fields;
mod logic;

use fields::{Field, Kind};
use proc_macro::TokenStream;
use proc_macro2::TokenStream as Code;
use quote::{quote, ToTokens};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{parenthesized, parse_macro_input, Expr, Ident, ItemStruct, Path, Result, Token};

/// What stands in brackets behind `#[module]`.
#[derive(Default)]
struct Arguments {
    /// `requires(…)`: what the parameters must fulfil.
    requires: Vec<Expr>,
    /// `kernel(…)`: the parts of the kernel in their order.
    parts: Vec<Path>,
    /// `given(…)`: statements ahead of the values of the fields.
    given: Code,
}

impl Parse for Arguments {
    fn parse(input: ParseStream) -> Result<Self> {
        let mut arguments = Arguments::default();
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            let inner;
            parenthesized!(inner in input);
            match name.to_string().as_str() {
                "requires" => {
                    let all = Punctuated::<Expr, Token![,]>::parse_terminated(&inner)?;
                    arguments.requires.extend(all);
                }
                "kernel" => {
                    let all = Punctuated::<Path, Token![,]>::parse_terminated(&inner)?;
                    arguments.parts.extend(all);
                }
                "given" => arguments.given = inner.parse()?,
                _ => {
                    return Err(syn::Error::new(
                        name.span(),
                        "`requires(…)`, `given(…)` or `kernel(…)` is expected here",
                    ))
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(arguments)
    }
}

/// A block: a struct of ports, signals, constants, registers and blocks.
///
/// - `requires(A, B)`: what the parameters must fulfil; where they do not, `Default` panics with the parameters.
/// - `given(let x = …;)`: statements ahead of the values of the fields, which may use `x`.
/// - `kernel(A, B)`: the kernel has these parts, in this order; each is an `impl kernel::Part<A>` of its own, and may
///   stand in a file of its own. Without it there is one part, `impl kernel::Part`.
///
/// On a field:
/// - `#[value(x)]`: a constant of this value.
/// - `#[many(n)]`: a `Vec` of so many.
/// - `#[init(x)]`: a field that begins as this.
/// - `#[always]`: a register that the kernel assigns in every cycle, so that it needs no hold line.
///
/// Every register (`DFF`, arrays of them, `#[registers]`) is clocked, and holds its value where the kernel says
/// nothing else. Every block inside that has a `clock` gets it.
#[proc_macro_attribute]
pub fn module(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand(arguments, item, true)
}

/// As [`macro@module`], but `Logic` is written by hand: memories, and cells whose Verilog is text.
#[proc_macro_attribute]
pub fn cell(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand(arguments, item, false)
}

fn expand(arguments: TokenStream, item: TokenStream, with_logic: bool) -> TokenStream {
    let arguments = parse_macro_input!(arguments as Arguments);
    let mut item = parse_macro_input!(item as ItemStruct);
    let done = fields::take(&mut item).map(|fields| {
        let default = default(&item, &fields, &arguments);
        let clocked = logic::clocked(&item, &fields);
        let logic = match with_logic {
            true => logic::logic(&item, &fields, &arguments.parts),
            false => Code::new(),
        };
        quote! {
            #[derive(LogicBlock)]
            #item
            #default
            #clocked
            #logic
        }
    });
    done.unwrap_or_else(|e| e.to_compile_error()).into()
}

/// The registers of one stage. In the block that has them, field `f` of stage `s` is `self.s.f`, in Verilog `s_f`.
#[proc_macro_attribute]
pub fn registers(_: TokenStream, item: TokenStream) -> TokenStream {
    let mut item = parse_macro_input!(item as ItemStruct);
    let done = fields::take(&mut item).map(|fields| {
        let default = default(&item, &fields, &Arguments::default());
        let group = logic::group(&item, &fields);
        quote! {
            #item
            #default
            #group
        }
    });
    done.unwrap_or_else(|e| e.to_compile_error()).into()
}

/// `Default`, behind the checks of the parameters.
fn default(item: &ItemStruct, fields: &[Field], arguments: &Arguments) -> Code {
    let given = &arguments.given;
    let name = &item.ident;
    let (impl_generics, type_generics, bounds) = item.generics.split_for_impl();
    let values = fields.iter().map(|field| {
        let name = &field.name;
        let value = match (&field.kind, &field.init) {
            (_, Some(init)) => init.clone(),
            (Kind::Array, None) => quote!(::std::array::from_fn(|_| Default::default())),
            (_, None) => quote!(Default::default()),
        };
        quote!(#name: #value)
    });
    let parameters: Vec<_> = item.generics.const_params().map(|p| &p.ident).collect();
    let all: Vec<String> = parameters
        .iter()
        .map(|p| format!("{p} = {{{p}}}"))
        .collect();
    let checks = arguments.requires.iter().map(|condition| {
        let text = condition.to_token_stream().to_string();
        let text = text.replace('{', "{{").replace('}', "}}");
        let text = format!("{name}: {} needed; {}", text, all.join(", "));
        quote!(assert!(#condition, #text);)
    });
    quote! {
        impl #impl_generics Default for #name #type_generics #bounds {
            fn default() -> Self {
                #(#checks)*
                #given
                Self { #(#values),* }
            }
        }
    }
}
