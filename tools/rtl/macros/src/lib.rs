//! Attributes that write what every block repeats.
//!
//! | attribute | on | writes |
//! |---|---|---|
//! | `#[module]` | a block with a kernel | `LogicBlock`, `Default`, and `Logic` of its parts behind clock and hold lines |
//! | `#[cell]` | a block whose `Logic` is written by hand | `LogicBlock`, `Default` |
//! | `#[registers]` | registers of one stage | one thing of them: clocked and held in one line, named `stage_field` |
//! | `#[part]` | a part of a kernel | the `impl` around it, and every `carry!` and `spread!` in it line by line |
//! | `#[bundle]` | ports that belong together | `LogicInterface`, and the mirror for the other side |
//! | `#[stage_of]` | an empty struct | `#[registers]` for all ports of a bundle |
//!
//! Parameters go by name: a block in `sizes! { … }` of the crate's `src/sizes.rs` is written without its list, and so
//! it stands in the blocks around it.
//!
//! They write nothing of what a block does, and the Verilog is what the lines written by hand would give.

#![forbid(unsafe_code)]

mod bundle;
mod carry;
mod fields;
mod logic;
mod part;
mod tables;

use fields::{Field, Kind};
use proc_macro::TokenStream;
use proc_macro2::TokenStream as Code;
use quote::{quote, ToTokens};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{parenthesized, parse_macro_input, Expr, Ident, ItemStruct, Path, Result, Token, Type};

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
/// - `#[flat]`: the ports of a bundle of `src/bundles.rs`, without the name of the field before theirs.
/// - `#[sizes(NAME = x)]`: a parameter of the block inside that is not the one of this name here.
///
/// A block with a list in `src/sizes.rs` is written without its parameters, `pub struct Sm { … }`, and has those of the
/// list. Where it stands inside another block, `sm: Sm` gives it the parameters of that block which have the same names;
/// the same holds for the bundles of `src/bundles.rs`. With brackets, `sm: Sm<4, 2>`, they go by position.
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
    let done = taken(&mut item).map(|fields| {
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
    let item = parse_macro_input!(item as ItemStruct);
    let done = group(item);
    done.unwrap_or_else(|e| e.to_compile_error()).into()
}

fn group(mut item: ItemStruct) -> Result<Code> {
    let fields = taken(&mut item)?;
    let default = default(&item, &fields, &Arguments::default());
    let group = logic::group(&item, &fields);
    Ok(quote! {
        #item
        #default
        #group
    })
}

/// A part of a kernel: `#[part(Block, Name)] fn update(&mut self) { … }` is the `impl kernel::Part<Name> for Block`
/// around it. `Block` alone where the kernel has one part; `Block<A, B>` where its parameters are not in
/// `src/sizes.rs`. Without brackets, `#[part]`, it stands for `#[hdl_gen]` inside an `impl` that is written out.
///
/// Inside, values that only go from one place to another are carried:
///
/// - `carry!(self.b <- self.a: x, y)` is `self.b.x.next = self.a.x.val();` and the same with `y`.
/// - `carry!(self.b.*.d <- self.a.*.q: x)`, `carry!(self.b <- self.a_*[0]: x)`: the name stands for the star.
/// - `carry!(self.b <- self.a: x = z)`: the names differ, `x` gets the value of `z`.
/// - `carry!(self.b <- self.a: every XPorts)`: all ports of a bundle of `src/bundles.rs`, without `clock`.
/// - `carry!(self.b <-> self: every XPorts)`: each port of block `b` the way it goes, as a wire to the block around.
/// - `spread!(self.*.read_address <- self.warp.q: a, b)`: one value, `self.warp.q.val()`, to all of these.
///
/// They become assignments in their order, so a later one overrides an earlier one.
#[proc_macro_attribute]
pub fn part(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let whose = match arguments.is_empty() {
        true => None,
        false => Some(parse_macro_input!(arguments as part::Whose)),
    };
    let done = part::part(whose.as_ref(), item.into());
    done.unwrap_or_else(|e| e.to_compile_error()).into()
}

/// Ports that belong together; `#[bundle(mirror = Name)]` writes the other side as well, which has the same ports in the
/// other directions and which `join` takes.
#[proc_macro_attribute]
pub fn bundle(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mirror = match arguments.is_empty() {
        true => None,
        false => Some(parse_macro_input!(arguments as bundle::Mirror)),
    };
    let item = parse_macro_input!(item as ItemStruct);
    let done = bundle::bundle(mirror.as_ref(), &item);
    done.unwrap_or_else(|e| e.to_compile_error()).into()
}

/// Registers for all ports of a bundle: `#[stage_of(AskPorts<4>)] pub struct AskStage;`.
#[proc_macro_attribute]
pub fn stage_of(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let of = parse_macro_input!(arguments as Type);
    let item = parse_macro_input!(item as ItemStruct);
    let done = bundle::stage(&of, &item).and_then(group);
    done.unwrap_or_else(|e| e.to_compile_error()).into()
}

/// The fields, behind parameters by name.
fn taken(item: &mut ItemStruct) -> Result<Vec<Field>> {
    part::sized(item, &tables::sizes()?)?;
    fields::take(item)
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
