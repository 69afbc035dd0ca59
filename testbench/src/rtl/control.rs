//! `weft_control` in any simulation, with its ports as plain values.

use super::model::{In, Model, Out};
use weft_ports::control::{Control, Inputs, Outputs};

/// A plain value at a port.
trait Value: Sized {
    fn put(self, model: &mut Model, port: In);
    fn get(model: &Model, port: Out) -> Self;
}

macro_rules! values {
    ($($kind:ty)*) => {
        $(impl Value for $kind {
            fn put(self, model: &mut Model, port: In) {
                model.set(port, self.into());
            }
            fn get(model: &Model, port: Out) -> $kind {
                model.get(port) as $kind
            }
        })*
    };
}

values! { u8 u16 u32 u64 }

impl Value for bool {
    fn put(self, model: &mut Model, port: In) {
        model.set(port, self.into());
    }
    fn get(model: &Model, port: Out) -> bool {
        model.get(port) != 0
    }
}

impl Value for u128 {
    fn put(self, model: &mut Model, port: In) {
        model.set_wide(port, self);
    }
    fn get(model: &Model, port: Out) -> u128 {
        model.get_wide(port)
    }
}

/// The ports of both directions, as in [`Inputs`] and [`Outputs`].
macro_rules! plain {
    (inputs $($input:ident)*; outputs $($output:ident)*) => {
        struct Places { $($input: In,)* $($output: Out,)* }

        impl Places {
            fn of(model: &Model) -> Places {
                Places {
                    $($input: model.input(stringify!($input)),)*
                    $($output: model.output(stringify!($output)),)*
                }
            }

            fn put(&self, model: &mut Model, inputs: &Inputs) {
                $(Value::put(inputs.$input, model, self.$input);)*
            }

            fn get(&self, model: &Model) -> Outputs {
                Outputs { $($output: Value::get(model, self.$output),)* }
            }
        }
    };
}

plain! {
    inputs
        reset cfg_yield_every cfg_forced_yield cfg_yield_random cfg_yield_threshold cfg_yield_seed cfg_path cfg_lanes cfg_recenter
        launch_valid launch_warp launch_pc launch_mask launch_base launch_size issue_ready resolve_valid resolve_warp resolve_op
        resolve_kind resolve_mask resolve_target spill_request_ready spill_response_valid spill_response_write spill_response_tag
        spill_response_data config_valid config_write config_warp config_register config_data;
    outputs
        launch_ready issue_valid issue_warp issue_pc issue_mask resolve_ready retire_valid retire_warp retire_op retire_pc
        retire_next_pc retire_next_mask retire_done retire_blocked retire_depth retire_front_kind retire_front_mask retire_front_pc
        retire_front_below retire_dropped exception_valid exception_warp exception_pc exception_cause status_busy status_moving
        status_dropped status_recentered spill_request_valid spill_request_write spill_request_last spill_request_tag
        spill_request_address spill_request_data spill_response_ready config_ready config_done config_result
}

/// A simulated `weft_control`.
pub struct ControlModel {
    model: Model,
    places: Places,
}

impl ControlModel {
    pub fn new(model: Model) -> ControlModel {
        ControlModel {
            places: Places::of(&model),
            model,
        }
    }
}

impl Control for ControlModel {
    fn settle(&mut self, inputs: &Inputs) -> Outputs {
        self.places.put(&mut self.model, inputs);
        self.model.settle();
        self.places.get(&self.model)
    }

    fn edge(&mut self) {
        self.model.edge();
    }
}
