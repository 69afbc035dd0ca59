//! A socket for GDB, one connection after the other. Whoever comes next finds the threads where they stand.

use crate::session::Session;
use crate::target::Debugged;
use gdbstub::conn::{Connection, ConnectionExt};
use gdbstub::stub::run_blocking::{BlockingEventLoop, Event, WaitForStopReasonError};
use gdbstub::stub::{DisconnectReason, GdbStub, MultiThreadStopReason};
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::marker::PhantomData;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// How often somebody looks whether GDB has sent something, or a connection is there.
const LOOK: Duration = Duration::from_millis(20);
/// Turns between two looks at the clock.
const TURNS: u32 = 64;

/// How debugging has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The program has ended with this exit code.
    Exited(u8),
    /// GDB has killed it.
    Killed,
    /// Whoever serves has had enough.
    Left,
}

#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    #[error("port {port} of 127.0.0.1: {error}")]
    Port { port: u16, error: io::Error },
    #[error("waiting for a connection: {0}")]
    Accept(io::Error),
}

/// Listens on 127.0.0.1; port 0 is any.
///
/// # Errors
/// The port is taken, or not to be had.
pub fn listen(port: u16) -> Result<TcpListener, ServerError> {
    let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    bound.map_err(|error| ServerError::Port { port, error })
}

/// Serves until the program has ended, or is killed, or `enough` says so while nobody is connected.
/// `say` hears who comes and why somebody goes.
///
/// # Errors
/// The socket fails. A connection that fails is over, and said; the next one may come.
pub fn serve(
    listener: &TcpListener,
    session: &mut Session,
    say: &mut dyn FnMut(&str),
    enough: &mut dyn FnMut() -> bool,
) -> Result<End, ServerError> {
    listener
        .set_nonblocking(true)
        .map_err(ServerError::Accept)?;
    loop {
        let stream = match listener.accept() {
            Ok((stream, _)) => stream,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                if enough() {
                    return Ok(End::Left);
                }
                std::thread::sleep(LOOK);
                continue;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(ServerError::Accept(error)),
        };
        say("gdb has connected");
        let stub = GdbStub::new(Buffered::new(stream));
        let ended = stub.run_blocking::<Loop<'_>>(&mut Debugged::new(session));
        session.leave();
        match ended {
            Ok(DisconnectReason::TargetExited(code)) => return Ok(End::Exited(code)),
            Ok(DisconnectReason::TargetTerminated(_)) => return Ok(End::Exited(1)),
            Ok(DisconnectReason::Kill) => return Ok(End::Killed),
            Ok(DisconnectReason::Disconnect) => say("gdb has gone; the next one may connect"),
            Err(error) => say(&format!(
                "the connection is over: {error}; the next one may connect"
            )),
        }
    }
}

/// A stream that is not asked for each byte.
struct Buffered {
    stream: TcpStream,
    come: VecDeque<u8>,
    goes: Vec<u8>,
}

impl Buffered {
    fn new(stream: TcpStream) -> Buffered {
        Buffered {
            stream,
            come: VecDeque::new(),
            goes: Vec::new(),
        }
    }

    /// Bytes that are there; waits for one if `wait`. Nothing behind the end is an error.
    fn fill(&mut self, wait: bool) -> io::Result<()> {
        self.stream.set_nonblocking(!wait)?;
        let mut bytes = [0; 4096];
        let read = loop {
            match Read::read(&mut self.stream, &mut bytes) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                read => break read?,
            }
        };
        if read == 0 {
            return Err(io::Error::new(ErrorKind::UnexpectedEof, "it was closed"));
        }
        self.come.extend(&bytes[..read]);
        Ok(())
    }
}

impl Connection for Buffered {
    type Error = io::Error;

    fn write(&mut self, byte: u8) -> io::Result<()> {
        self.goes.push(byte);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.set_nonblocking(false)?;
        Write::write_all(&mut self.stream, &std::mem::take(&mut self.goes))
    }

    fn on_session_start(&mut self) -> io::Result<()> {
        self.stream.set_nodelay(true)
    }
}

impl ConnectionExt for Buffered {
    fn read(&mut self) -> io::Result<u8> {
        loop {
            if let Some(byte) = self.come.pop_front() {
                return Ok(byte);
            }
            self.fill(true)?;
        }
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        if self.come.is_empty() {
            self.fill(false)?;
        }
        Ok(self.come.front().copied())
    }
}

/// Turns, and a look at the connection from time to time.
struct Loop<'a>(PhantomData<&'a ()>);

impl<'a> BlockingEventLoop for Loop<'a> {
    type Target = Debugged<'a>;
    type Connection = Buffered;
    type StopReason = MultiThreadStopReason<u32>;

    fn wait_for_stop_reason(
        target: &mut Debugged<'a>,
        connection: &mut Buffered,
    ) -> Result<Event<Self::StopReason>, WaitForStopReasonError<std::convert::Infallible, io::Error>>
    {
        let lost = WaitForStopReasonError::Connection;
        let mut looked = Instant::now();
        loop {
            for _ in 0..TURNS {
                if let Some(stop) = target.session.advance() {
                    return Ok(Event::TargetStopped(target.reason(&stop)));
                }
            }
            if looked.elapsed() < LOOK {
                continue;
            }
            looked = Instant::now();
            if connection.peek().map_err(lost)?.is_some() {
                let byte = connection.read().map_err(lost)?;
                return Ok(Event::IncomingData(byte));
            }
        }
    }

    fn on_interrupt(
        target: &mut Debugged<'a>,
    ) -> Result<Option<Self::StopReason>, std::convert::Infallible> {
        let stop = target.session.interrupt();
        Ok(Some(target.reason(&stop)))
    }
}
