//! Domains: programs that reach a part of the memory and no other one's (HOST-004).

use crate::device::Device;
use crate::error::Error;
use crate::gpu::Gpu;
use crate::room::Room;
use crate::state::{Domain, Space};
use weft_sim::host::registers::at;

impl<D: Device> Gpu<D> {
    /// A new domain of so many bytes, for programs and buffers, out of what is free in the common part.
    /// Nothing may run meanwhile.
    ///
    /// # Errors
    /// There is no memory, or there are as many domains as [`crate::Settings::domains`] says.
    pub fn domain(&mut self, bytes: u32) -> Result<Domain, Error> {
        let most = self.settings.domains.min(at::DOMAINS as u32 - 1);
        let number = self.spaces.len() as u32;
        if number > most {
            return Err(Error::NoDomain(most));
        }
        self.synchronize()?;
        let free = self.spaces[0].room.free();
        let begin = self.spaces[0].room.take(bytes);
        let begin = begin.ok_or(Error::NoMemory { bytes, free })?;
        let end = begin + bytes.max(1).next_multiple_of(crate::room::ALIGNMENT);
        let zeros = vec![0; (end - begin) as usize];
        self.write(begin, &zeros)?;
        let offset = number * self.local_bytes();
        let domain = number as usize;
        self.device.set(at::domain(domain, at::WINDOW_BASE), begin);
        self.device.set(at::domain(domain, at::WINDOW_END), end);
        self.device
            .set(at::domain(domain, at::LOCAL_OFFSET), offset);
        self.spaces.push(Space {
            window: (begin, end),
            room: Room::new(begin, end),
        });
        Ok(Domain(number as u8))
    }

    /// What is loaded and allocated from now on lies in this domain; a kernel runs in the one where it lies.
    pub fn enter(&mut self, domain: Domain) {
        self.current = domain;
    }

    /// Where what is asked for now comes from.
    pub(crate) fn room(&mut self) -> &mut Room {
        &mut self.spaces[usize::from(self.current.0)].room
    }

    /// The domain that has this address.
    pub(crate) fn domain_at(&self, address: u32) -> Domain {
        let has = |space: &Space| (space.window.0..space.window.1).contains(&address);
        let domains = self.spaces.iter().skip(1);
        Domain(domains.clone().position(has).map_or(0, |n| n as u8 + 1))
    }

    /// Gives a range back to where it is from.
    pub(crate) fn give(&mut self, begin: u32, bytes: u32) {
        let domain = self.domain_at(begin);
        self.spaces[usize::from(domain.0)].room.give(begin, bytes);
    }

    /// Bytes of local memory of all SMs for a domain.
    pub(crate) fn local_bytes(&self) -> u32 {
        let size = self.device.size();
        (size.warps * size.threads * size.sms) as u32 * self.settings.local
    }
}
