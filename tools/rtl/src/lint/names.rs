//! Signal names as the syntax tree spells them.

/// `a$3$b` and `a[i]$b` both become `a$#$b`.
pub(super) fn canon(s: &str) -> String {
    let mut t = String::new();
    let mut depth = 0;
    for c in s.chars() {
        match c {
            '[' => {
                if depth == 0 {
                    t.push_str("$#");
                }
                depth += 1;
            }
            ']' => depth -= 1,
            c if depth == 0 => t.push(c),
            _ => {}
        }
    }
    t.split('$')
        .map(|p| {
            if !p.is_empty() && p.chars().all(|c| c.is_ascii_digit()) {
                "#"
            } else {
                p
            }
        })
        .collect::<Vec<_>>()
        .join("$")
}
