//! Clocks, hold lines, and the parts of a kernel one after the other.

use crate::fields::{Field, Kind};
use proc_macro2::TokenStream as Code;
use quote::quote;
use syn::{ItemStruct, Path};

/// Registers that hold their value where the kernel says nothing.
fn held(fields: &[Field]) -> Vec<&syn::Ident> {
    let held = |f: &&Field| f.inner == Kind::Register && !f.always;
    fields.iter().filter(held).map(|f| &f.name).collect()
}

/// Whoever has this block inside drives its clock, where it has one.
pub fn clocked(item: &ItemStruct, fields: &[Field]) -> Code {
    let name = &item.ident;
    let (impl_generics, type_generics, bounds) = item.generics.split_for_impl();
    let body = match fields.iter().any(|f| f.name == "clock") {
        false => Code::new(),
        true => quote! {
            fn drive_clock(&mut self, clock: Clock) {
                self.clock.next = clock;
            }
            fn connect_clock(&mut self) {
                logic::logic_connect_fn(&mut self.clock);
            }
            fn clock_hdl(&self, name: &str, code: &mut Vec<ast::VerilogStatement>) {
                code.push(kernel::assigned(&format!("{name}$clock"), "clock"));
            }
        },
    };
    quote! {
        impl #impl_generics kernel::Clocked for #name #type_generics #bounds {
            #body
        }
    }
}

/// `Logic`: registers and blocks are clocked, registers hold, then the parts of the kernel.
pub fn logic(item: &ItemStruct, fields: &[Field], parts: &[Path]) -> Code {
    let name = &item.ident;
    let (impl_generics, type_generics, bounds) = item.generics.split_for_impl();
    let registers = held(fields);
    let has_clock = fields.iter().any(|f| f.name == "clock");
    let clocked: Vec<_> = match has_clock {
        true => fields
            .iter()
            .filter(|f| f.inner != Kind::Plain)
            .map(|f| &f.name)
            .collect(),
        false => vec![],
    };
    let part = |path: Code| quote!(<Self as kernel::Part<#path>>);
    let parts: Vec<Code> = match parts {
        [] => vec![part(quote!(kernel::Whole))],
        some => some.iter().map(|p| part(quote!(#p))).collect(),
    };
    let texts =
        |names: &[&syn::Ident]| -> Vec<String> { names.iter().map(|n| n.to_string()).collect() };
    let (register_names, clocked_names) = (texts(&registers), texts(&clocked));
    quote! {
        impl #impl_generics logic::Logic for #name #type_generics #bounds {
            fn update(&mut self) {
                #(kernel::Clocked::drive_clock(&mut self.#clocked, self.clock.val());)*
                #(kernel::Held::hold(&mut self.#registers);)*
                #(#parts::update(self);)*
            }
            fn connect(&mut self) {
                #(kernel::Clocked::connect_clock(&mut self.#clocked);)*
                #(kernel::Held::connect_hold(&mut self.#registers);)*
                #(#parts::connect(self);)*
            }
            fn hdl(&self) -> ast::Verilog {
                let mut code = vec![];
                #(kernel::Clocked::clock_hdl(&self.#clocked, #clocked_names, &mut code);)*
                #(kernel::Held::hold_hdl(&self.#registers, #register_names, &mut code);)*
                #(code.extend(kernel::statements(#parts::hdl(self)));)*
                ast::Verilog::Combinatorial(code)
            }
        }
    }
}

/// Registers of a stage: clocked, held and visited as one.
pub fn group(item: &ItemStruct, fields: &[Field]) -> Code {
    let name = &item.ident;
    let (impl_generics, type_generics, bounds) = item.generics.split_for_impl();
    let names: Vec<_> = fields.iter().map(|f| &f.name).collect();
    let texts: Vec<_> = names.iter().map(|n| n.to_string()).collect();
    let held = held(fields);
    let held_texts: Vec<_> = held.iter().map(|n| n.to_string()).collect();
    quote! {
        impl #impl_generics logic::Logic for #name #type_generics #bounds {
            fn update(&mut self) {}
        }
        impl #impl_generics block::Block for #name #type_generics #bounds {
            fn connect_all(&mut self) {
                #(block::Block::connect_all(&mut self.#names);)*
            }
            fn update_all(&mut self) {
                #(block::Block::update_all(&mut self.#names);)*
            }
            fn has_changed(&self) -> bool {
                #(block::Block::has_changed(&self.#names))||*
            }
            fn accept(&self, name: &str, probe: &mut dyn probe::Probe) {
                #(block::Block::accept(&self.#names, &format!("{name}${}", #texts), probe);)*
            }
        }
        impl #impl_generics kernel::Clocked for #name #type_generics #bounds {
            fn drive_clock(&mut self, clock: Clock) {
                #(kernel::Clocked::drive_clock(&mut self.#names, clock);)*
            }
            fn connect_clock(&mut self) {
                #(kernel::Clocked::connect_clock(&mut self.#names);)*
            }
            fn clock_hdl(&self, name: &str, code: &mut Vec<ast::VerilogStatement>) {
                #(kernel::Clocked::clock_hdl(&self.#names, &format!("{name}${}", #texts), code);)*
            }
        }
        impl #impl_generics kernel::Held for #name #type_generics #bounds {
            fn hold(&mut self) {
                #(kernel::Held::hold(&mut self.#held);)*
            }
            fn connect_hold(&mut self) {
                #(kernel::Held::connect_hold(&mut self.#held);)*
            }
            fn hold_hdl(&self, name: &str, code: &mut Vec<ast::VerilogStatement>) {
                #(kernel::Held::hold_hdl(&self.#held, &format!("{name}${}", #held_texts), code);)*
            }
        }
    }
}
