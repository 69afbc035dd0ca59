//! `carry!` and `spread!`: values that only go from one place to another, in one line per place and not one per value.

use crate::tables::{self, Bundle};
use proc_macro2::{Group, TokenStream as Code, TokenTree};
use quote::{format_ident, quote, ToTokens};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Ident, Result, Token};

/// The code with every `carry!` and `spread!` in it written out.
///
/// # Errors
/// The first one that cannot be read, at its place.
pub fn expanded(code: Code) -> Result<Code> {
    let mut written = Code::new();
    let mut rest = code.into_iter().peekable();
    while let Some(token) = rest.next() {
        match token {
            TokenTree::Ident(word)
                if (word == "carry" || word == "spread") && is(rest.peek(), '!') =>
            {
                rest.next();
                let Some(TokenTree::Group(inside)) = rest.next() else {
                    return Err(Error::new(word.span(), "`carry!(…)` is expected"));
                };
                written.extend(match word == "carry" {
                    true => syn::parse2::<Carry>(inside.stream())?.assignments(),
                    false => syn::parse2::<Spread>(inside.stream())?.assignments(),
                });
                rest.next_if(|token| is(Some(token), ';'));
            }
            TokenTree::Group(group) => {
                let mut inside = Group::new(group.delimiter(), expanded(group.stream())?);
                inside.set_span(group.span());
                written.extend([TokenTree::Group(inside)]);
            }
            other => written.extend([other]),
        }
    }
    Ok(written)
}

fn is(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == sign)
}

/// A place of many values: a path in which `*` stands for the name of each; without a `*` the name comes last.
struct Place {
    before: Vec<TokenTree>,
    prefix: Option<Ident>,
    suffix: Option<Ident>,
    after: Vec<TokenTree>,
}

impl Place {
    fn new(path: Vec<TokenTree>) -> Place {
        let mut place = Place {
            before: path,
            prefix: None,
            suffix: None,
            after: vec![],
        };
        let star = place.before.iter().position(|t| is(Some(t), '*'));
        let Some(at) = star else {
            place.before.extend(quote!(.));
            return place;
        };
        place.after = place.before.split_off(at + 1);
        place.before.pop();
        if let Some(TokenTree::Ident(prefix)) = place.before.last().cloned() {
            place.before.pop();
            place.prefix = Some(prefix);
        }
        if let Some(TokenTree::Ident(suffix)) = place.after.first().cloned() {
            place.after.remove(0);
            place.suffix = Some(suffix);
        }
        place
    }

    fn of(&self, name: &Ident) -> Code {
        let text = |part: &Option<Ident>| part.as_ref().map(Ident::to_string).unwrap_or_default();
        let (prefix, suffix) = (text(&self.prefix), text(&self.suffix));
        let name = format_ident!("{prefix}{}{suffix}", name, span = name.span());
        let (before, after) = (&self.before, &self.after);
        quote!(#(#before)* #name #(#after)*)
    }
}

/// A value: its name where it goes to, and where it comes from.
struct Value {
    to: Ident,
    from: Ident,
    /// It goes the other way.
    back: bool,
}

/// `to <- from: values`, or `block <-> around: every XPorts`.
struct Carry {
    to: Place,
    from: Place,
    values: Vec<Value>,
}

impl Parse for Carry {
    fn parse(input: ParseStream) -> Result<Self> {
        let to = until(input, |i| i.peek(Token![<-]))?;
        if input.parse::<Option<Token![<-]>>()?.is_none() {
            return Err(input.error("`to <- from: names` is expected"));
        }
        let both = input.parse::<Option<Token![>]>>()?.is_some();
        let from = until(input, |i| i.peek(Token![:]))?;
        input.parse::<Token![:]>()?;
        let mut values = vec![];
        while !input.is_empty() {
            let name = input.call(Ident::parse_any)?;
            if name == "every" && input.peek(Ident) {
                let bundle: Ident = input.parse()?;
                let known = tables::bundle(&bundle)?;
                values.extend(every(&known, &bundle, both));
            } else if both {
                let text = "which way each value goes is known of bundles only: `every XPorts`";
                return Err(Error::new(name.span(), text));
            } else {
                let from = match input.parse::<Option<Token![=]>>()? {
                    Some(_) => input.call(Ident::parse_any)?,
                    None => name.clone(),
                };
                let back = false;
                values.push(Value {
                    to: name,
                    from,
                    back,
                });
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(Carry {
            to: Place::new(to),
            from: Place::new(from),
            values,
        })
    }
}

/// `to <- value: names`: one value to many places.
struct Spread {
    to: Place,
    value: Code,
    names: Vec<Ident>,
}

impl Parse for Spread {
    fn parse(input: ParseStream) -> Result<Self> {
        let to = Place::new(until(input, |i| i.peek(Token![<-]))?);
        if input.parse::<Option<Token![<-]>>()?.is_none() {
            return Err(input.error("`to <- value: names` is expected"));
        }
        let value = until(input, |i| i.peek(Token![:]))?.into_iter().collect();
        input.parse::<Token![:]>()?;
        let names = Punctuated::<Ident, Token![,]>::parse_terminated_with(input, Ident::parse_any)?;
        let names = names.into_iter().collect();
        Ok(Spread { to, value, names })
    }
}

impl Spread {
    fn assignments(&self) -> Code {
        let value = &self.value;
        let one = |name: &Ident| {
            let to = self.to.of(name);
            quote!(#to.next = #value.val();)
        };
        self.names.iter().map(one).collect()
    }
}

/// All ports of a bundle, in their order. The clock is not among them: `#[module]` drives it.
fn every(bundle: &Bundle, at: &Ident, both: bool) -> Vec<Value> {
    let ports = bundle.ports.iter().filter(|port| port.name != "clock");
    ports
        .map(|port| {
            let name = Ident::new(&port.name, at.span());
            Value {
                to: name.clone(),
                from: name,
                back: both && !port.is_in,
            }
        })
        .collect()
}

fn until(input: ParseStream, stop: impl Fn(ParseStream) -> bool) -> Result<Vec<TokenTree>> {
    let mut tokens = vec![];
    while !input.is_empty() && !stop(input) {
        tokens.push(input.parse()?);
    }
    Ok(tokens)
}

impl Carry {
    fn assignments(&self) -> Code {
        let one = |value: &Value| {
            let (to, from) = (self.to.of(&value.to), self.from.of(&value.from));
            let (to, from) = match value.back {
                true => (from, to),
                false => (to, from),
            };
            quote!(#to.next = #from.val();)
        };
        self.values.iter().map(one).collect()
    }
}

/// `code` with other words in place of some.
pub fn replaced(code: Code, with: &dyn Fn(&Ident) -> Option<Code>) -> Code {
    let one = |token: TokenTree| match token {
        TokenTree::Ident(word) => with(&word).unwrap_or_else(|| word.to_token_stream()),
        TokenTree::Group(group) => {
            let inside = replaced(group.stream(), with);
            Group::new(group.delimiter(), inside).to_token_stream()
        }
        other => other.to_token_stream(),
    };
    code.into_iter().flat_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(code: &str) -> String {
        match expanded(code.parse().unwrap()) {
            Ok(code) => code.to_string(),
            Err(error) => error.to_string(),
        }
    }

    /// As tokens, so that blanks make no difference.
    fn same(code: &str, by_hand: &str) {
        let by_hand: Code = by_hand.parse().unwrap();
        let bare = |text: String| text.replace(' ', "");
        assert_eq!(bare(written(code)), bare(by_hand.to_string()));
    }

    #[test]
    fn names_come_last_or_where_the_star_is() {
        same(
            "{ carry!(self.b <- self.a: x, y); }",
            "{ self.b.x.next = self.a.x.val(); self.b.y.next = self.a.y.val(); }",
        );
        same(
            "{ carry!(self.b.*.d <- self.a_*[i + 1]: x,); }",
            "{ self.b.x.d.next = self.a_x[i + 1].val(); }",
        );
        same(
            "{ carry!(self.*_q <- self: x); }",
            "{ self.x_q.next = self.x.val(); }",
        );
        same(
            "{ carry!(self <- self.a: x = z); }",
            "{ self.x.next = self.a.z.val(); }",
        );
    }

    #[test]
    fn one_value_goes_to_many_places() {
        same(
            "{ spread!(self.*.read_address <- self.entry.warp: pcs, masks,); }",
            "{ self.pcs.read_address.next = self.entry.warp.val(); self.masks.read_address.next = self.entry.warp.val(); }",
        );
        same(
            "{ spread!(self <- self.a.q: x); }",
            "{ self.x.next = self.a.q.val(); }",
        );
        assert!(written("{ spread!(self.a: x); }").contains("is expected"));
    }

    #[test]
    fn the_order_stays_and_what_is_inside_is_found() {
        same(
            "{ self.f.next = true; for i in 0..2 { carry!(self.b[i] <- self: x); } if self.g.val() { carry!(self <- self.c: y); self.z.next = false; } }",
            "{ self.f.next = true; for i in 0..2 { self.b[i].x.next = self.x.val(); } if self.g.val() { self.y.next = self.c.y.val(); self.z.next = false; } }",
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert!(written("{ carry!(self.a: x); }").contains("is expected"));
        assert!(written("{ carry!(self.a <-> self.b: x); }").contains("every XPorts"));
        let text = written("{ carry!(self.a <- self.b: every NonePorts); }");
        assert!(text.contains("NonePorts"), "{text}");
        assert!(written("{ carry!(self.a <- self.b: x y); }").contains("expected `,`"));
    }
}
