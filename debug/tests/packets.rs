//! The stub over a socket, packet by packet, without GDB.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;
use weft_debug::work::Grid;
use weft_debug::{server, End, Session, Work};
use weft_sim::Config;

const PROGRAM: &str = "_start: addi t0, a0, 5\nbreak: addi t0, t0, 1\n exit\n";

struct Server {
    port: u16,
    runs: JoinHandle<End>,
    said: Arc<Mutex<Vec<String>>>,
}

fn serve(text: &'static str) -> Server {
    let listener = server::listen(0).unwrap();
    let port = listener.local_addr().unwrap().port();
    let said: Arc<Mutex<Vec<String>>> = Arc::default();
    let hears = Arc::clone(&said);
    let runs = std::thread::spawn(move || {
        let config = Config {
            warps: 2,
            threads: 4,
            grid: Some(6),
            ..Config::default()
        };
        let work = Work {
            program: weft_isa::assemble(text, "p.s").unwrap(),
            grid: Grid::Parts(vec![config]),
        };
        let mut session = Session::new(work, None, Box::new(|_| ())).unwrap();
        let mut say = |line: &str| hears.lock().unwrap().push(line.into());
        server::serve(&listener, &mut session, &mut say, &mut || false).unwrap()
    });
    Server { port, runs, said }
}

struct Gdb(TcpStream);

impl Gdb {
    fn connect(server: &Server) -> Gdb {
        let stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        let limit = Some(Duration::from_secs(20));
        stream.set_read_timeout(limit).unwrap();
        Gdb(stream)
    }

    fn byte(&mut self) -> Option<u8> {
        let mut byte = [0];
        match self.0.read(&mut byte) {
            Ok(1) => Some(byte[0]),
            Ok(_) => None,
            Err(e) if e.kind() == std::io::ErrorKind::ConnectionReset => None,
            Err(e) => panic!("{e}"),
        }
    }

    fn send(&mut self, data: &str) {
        let sum = data.bytes().fold(0u8, u8::wrapping_add);
        self.0
            .write_all(format!("${data}#{sum:02x}").as_bytes())
            .unwrap();
    }

    fn receive(&mut self) -> String {
        let mut text = String::new();
        while self.byte().expect("a packet") != b'$' {}
        loop {
            match self.byte().expect("the rest of a packet") {
                b'#' => break,
                // Run-length encoding.
                b'*' => {
                    let again = self.byte().unwrap() - 29;
                    let last = text.chars().last().unwrap();
                    text.extend(std::iter::repeat_n(last, usize::from(again)));
                }
                byte => text.push(byte.into()),
            }
        }
        self.0.write_all(b"+").unwrap();
        text
    }

    fn ask(&mut self, data: &str) -> String {
        self.send(data);
        self.receive()
    }
}

fn word(hex: &str) -> u32 {
    u32::from_str_radix(hex, 16).unwrap().swap_bytes()
}

#[test]
fn threads_registers_and_memory() {
    let server = serve(PROGRAM);
    let mut gdb = Gdb::connect(&server);
    assert!(gdb
        .ask("qSupported:swbreak+;vContSupported+")
        .contains("PacketSize"));
    assert_eq!(gdb.ask("?"), "T05thread:01;");
    assert_eq!(gdb.ask("qfThreadInfo"), "m01,02,03,04,05,06");
    assert_eq!(gdb.ask("qsThreadInfo"), "l");
    assert_eq!(gdb.ask("Hg6"), "OK");
    let all = gdb.ask("g");
    assert_eq!(all.len(), 33 * 8);
    // a0 is the thread's number, the pc the entry.
    assert_eq!(word(&all[80..88]), 5);
    assert_eq!(word(&all[256..264]), 0x1000);
    assert_eq!(word(&gdb.ask("pb")), 6);
    assert_eq!(word(&gdb.ask("p20")), 0x1000);
    assert_eq!(gdb.ask("Pc=78563412"), "OK");
    assert_eq!(word(&gdb.ask("pc")), 0x1234_5678);
    // No thread has a pc of its own.
    assert_eq!(gdb.ask("P20=00200000"), "E16");
    assert_eq!(gdb.ask("M2000,3:010203"), "OK");
    assert_eq!(gdb.ask("m1fff,5"), "0001020300");
    assert_eq!(gdb.ask("m0,4"), "E0e");
    // Whom there is not.
    gdb.ask("Hg7");
    assert_eq!(gdb.ask("g"), "E03");
    let xml = gdb.ask("qXfer:features:read:target.xml:0,400");
    assert!(xml.contains("<osabi>none</osabi>"), "{xml}");
    gdb.send("k");
    assert_eq!(server.runs.join().unwrap(), End::Killed);
}

#[test]
fn stops_by_packets() {
    let server = serve(PROGRAM);
    let mut gdb = Gdb::connect(&server);
    assert!(gdb.ask("vCont?").starts_with("vCont;c;C;s;S;r"));
    assert_eq!(gdb.ask("Z0,1004,4"), "OK");
    for thread in 1..=4 {
        assert_eq!(
            gdb.ask("vCont;c"),
            format!("T05thread:{thread:02x};swbreak:;")
        );
    }
    // Alone: ahead of the others.
    assert_eq!(gdb.ask("vCont;s:4"), "T05thread:04;");
    assert_eq!(word(&gdb.ask("p20")), 0x1008);
    gdb.ask("Hg3");
    assert_eq!(word(&gdb.ask("p20")), 0x1004);
    assert_eq!(gdb.ask("vCont;c"), "T05thread:05;swbreak:;");
    assert_eq!(gdb.ask("z0,1004,4"), "OK");
    assert_eq!(gdb.ask("z0,1004,4"), "E16");
    assert_eq!(gdb.ask("vCont;s:6;c"), "T05thread:06;");
    assert_eq!(gdb.ask("vCont;c"), "W00");
    assert_eq!(server.runs.join().unwrap(), End::Exited(0));
}

#[test]
fn a_run_that_does_not_end_is_interrupted() {
    let server = serve("_start: j _start\n");
    let mut gdb = Gdb::connect(&server);
    gdb.ask("?");
    gdb.send("vCont;c");
    std::thread::sleep(Duration::from_millis(50));
    gdb.0.write_all(b"\x03").unwrap();
    assert_eq!(gdb.receive(), "T02thread:01;");
    gdb.send("k");
    assert_eq!(server.runs.join().unwrap(), End::Killed);
}

/// What comes after a connection that has gone wrong finds everything as it was.
#[test]
fn a_bad_packet_and_a_closed_connection_end_that_connection_only() {
    let server = serve(PROGRAM);
    let mut gdb = Gdb::connect(&server);
    assert_eq!(gdb.ask("Z0,1004,4"), "OK");
    assert_eq!(gdb.ask("vCont;c"), "T05thread:01;swbreak:;");
    gdb.0.write_all(b"$m1000,4#00").unwrap();
    while gdb.byte().is_some() {}
    let mut gdb = Gdb::connect(&server);
    gdb.ask("Hg1");
    assert_eq!(word(&gdb.ask("p20")), 0x1004);
    drop(gdb);
    let mut gdb = Gdb::connect(&server);
    assert_eq!(gdb.ask("D"), "OK");
    let mut gdb = Gdb::connect(&server);
    // Without the breakpoint of the first.
    assert_eq!(gdb.ask("vCont;c"), "W00");
    assert_eq!(server.runs.join().unwrap(), End::Exited(0));
    let said = server.said.lock().unwrap().clone();
    let wrong = |line: &&String| line.starts_with("the connection is over: ");
    assert_eq!(said.iter().filter(wrong).count(), 2, "{said:?}");
    assert_eq!(said.len(), 4 + 3, "{said:?}");
}

#[test]
fn a_port_that_is_taken_is_told() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let error = server::listen(port).unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("port {port} of 127.0.0.1: ")),
        "{error}"
    );
}

#[test]
fn monitor_commands_answer() {
    let server = serve(PROGRAM);
    let mut gdb = Gdb::connect(&server);
    let mut monitor = |command: &str| {
        let hex: String = command.bytes().map(|b| format!("{b:02x}")).collect();
        gdb.send(&format!("qRcmd,{hex}"));
        let mut text = String::new();
        loop {
            let answer = gdb.receive();
            let Some(hex) = answer.strip_prefix('O').filter(|hex| *hex != "K") else {
                break text;
            };
            let bytes = (0..hex.len()).step_by(2);
            let bytes = bytes.map(|n| u8::from_str_radix(&hex[n..n + 2], 16).unwrap());
            text += &String::from_utf8(bytes.collect()).unwrap();
        }
    };
    let warps = "warp 0: runs at 0x1000, active 0xf, 0 tokens\n\
                 warp 1: runs at 0x1000, active 0x3, EXIT 0xc, 0 tokens\n";
    assert_eq!(monitor("warps"), warps);
    assert_eq!(monitor("tokens 1"), "warp 1 has none\n");
    assert_eq!(monitor("tokens 9"), "tokens N: a warp from 0 to 1\n");
    assert_eq!(monitor("barriers"), "nobody waits at a barrier\n");
    assert_eq!(monitor("why"), "at its beginning\n");
    assert!(monitor("help").contains("warps  "));
    assert!(monitor("jump").starts_with("`jump` is no command"));
    gdb.send("k");
    server.runs.join().unwrap();
}
