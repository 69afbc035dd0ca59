fn main() {
    let a: Vec<String> = std::env::args().collect();
    let s = std::fs::read_to_string(&a[1]).unwrap();
    let o = weft_compiler::compile(&s, &a[1], &weft_compiler::Options { lower: a[2].parse().unwrap(), ..Default::default() }).unwrap();
    if a.get(3).is_some() { println!("{}", o.assembly) } else { println!("{}", o.report) }
}
