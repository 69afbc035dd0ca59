//! The token memory, and recentering by the driver.

use super::CoreSession;
use crate::core::report::CoreError;
use crate::driver;
use crate::driver::Port;
use crate::memory::Request;
use crate::session::Access;
use weft_ports::control::Outputs;

impl CoreSession<'_> {
    pub(super) fn drive_tokens(&mut self) {
        self.tokens.drive(&mut self.around);
        let (f, i, a) = (&mut self.flat, &self.i, &self.around);
        f.set(i.spill_request_ready, a.spill_request_ready.into());
        f.set(i.spill_response_valid, a.spill_response_valid.into());
        f.set(i.spill_response_write, a.spill_response_write.into());
        f.set(i.spill_response_tag, a.spill_response_tag.into());
        f.set(i.spill_response_data, a.spill_response_data as u64);
        f.set(i.config_valid, a.config_valid.into());
        f.set(i.config_write, a.config_write.into());
        f.set(i.config_warp, a.config_warp.into());
        f.set(i.config_register, a.config_register.into());
        f.set(i.config_data, a.config_data.into());
    }

    pub(super) fn token_ports(&mut self) -> Result<(), CoreError> {
        let o = &self.o;
        let outputs = Outputs {
            spill_request_valid: self.bit(o.spill_request_valid),
            spill_request_write: self.bit(o.spill_request_write),
            spill_request_last: self.bit(o.spill_request_last),
            spill_request_tag: self.get(o.spill_request_tag) as u16,
            spill_request_address: self.get(o.spill_request_address) as u32,
            spill_request_data: self.get(o.spill_request_data).into(),
            spill_response_ready: self.bit(o.spill_response_ready),
            ..Outputs::default()
        };
        if let Err((rule, detail)) = self.checker.cycle(&self.around, &outputs) {
            return self.rule(format!("{rule:?}: {detail}"));
        }
        let taken = self.around.spill_request_ready && Request::offered(&outputs).is_some();
        if taken {
            self.happened.token_requests += 1;
            self.event = self.warps.cycle;
        }
        self.tokens.edge(&self.around, &outputs);
        if self.around.config_valid && self.bit(self.o.config_ready) {
            self.around.config_valid = false;
        }
        if self.bit(self.o.config_done) {
            self.answer = Some(self.get(self.o.config_result) as u32);
            self.access = None;
        }
        Ok(())
    }

    pub(super) fn serve(&mut self, warp: usize) -> Result<(), CoreError> {
        driver::recenter(&mut Served { session: self }, warp)?;
        self.happened.served += 1;
        Ok(())
    }

    pub(super) fn access(
        &mut self,
        warp: usize,
        register: u8,
        write: Option<u32>,
    ) -> Result<u32, CoreError> {
        if register == weft_ports::control::register::RESUME {
            self.checker.resume(warp);
        }
        self.access = Some(Access {
            warp,
            register,
            write,
        });
        let a = &mut self.around;
        a.config_valid = true;
        a.config_write = write.is_some();
        a.config_warp = warp as u8;
        a.config_register = register;
        a.config_data = write.unwrap_or(0);
        self.answer = None;
        loop {
            self.cycle()?;
            if let Some(result) = self.answer.take() {
                return Ok(result);
            }
        }
    }
}

struct Served<'s, 'a> {
    session: &'s mut CoreSession<'a>,
}

impl Port for Served<'_, '_> {
    type Error = CoreError;

    fn read(&mut self, warp: usize, register: u8) -> Result<u32, CoreError> {
        self.session.access(warp, register, None)
    }

    fn write(&mut self, warp: usize, register: u8, value: u32) -> Result<(), CoreError> {
        self.session.access(warp, register, Some(value)).map(|_| ())
    }

    fn load(&mut self, address: u32) -> Result<u128, CoreError> {
        self.session.cycle()?;
        Ok(self.session.tokens.load(address))
    }

    fn store(&mut self, address: u32, token: u128) -> Result<(), CoreError> {
        self.session.cycle()?;
        self.session.tokens.store(address, token);
        Ok(())
    }
}
