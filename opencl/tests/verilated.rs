//! The hardware under Verilator as an OpenCL device: `weft_gpu` of 4 warps of 4 threads.

mod common;

use common::{ok, set, Host, PROFILING};
use opencl_sys::*;
use std::ptr::{null, null_mut};

const TEXT: &str = "
kernel void dot(global const float *a, global const float *b, global float *out, local float *part) {
    uint l = get_local_id(0);
    part[l] = a[get_global_id(0)] * b[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = get_local_size(0) / 2; n > 0; n /= 2) {
        if (l < n) part[l] += part[l + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) out[get_group_id(0)] = part[0];
}
kernel void count(global const uint *in, global uint *bins) { atomic_inc(&bins[in[get_global_id(0)] & 3]); }
kernel void fault(global uint *p) { p[0x30000000] = 1; }
";

#[test]
fn kernels_run_in_hardware_one_after_the_other() {
    // Before anything asks for the device: this test has a process of its own.
    std::env::set_var("WEFT_DEVICE", "verilated");
    let host = Host::with(PROFILING);
    let name = host.text(|size, value, ret| {
        cl!(clGetDeviceInfo(
            host.device,
            CL_DEVICE_NAME,
            size,
            value,
            ret
        ))
    });
    assert_eq!(name, "Weft verilated");
    let program = host.build(TEXT);
    let [dot, count, fault] = ["dot", "count", "fault"].map(|name| host.kernel(program, name));
    let (groups, group) = (5, 8);
    let a: Vec<f32> = (0..groups * group).map(|n| n as f32 / 4.0).collect();
    let words: Vec<u32> = a.iter().map(|value| value.to_bits()).collect();
    let (numbers, out) = (host.buffer(&words), host.buffer(&[0; 6]));
    for round in 1..=2u32 {
        set(dot, 0, numbers);
        set(dot, 1, numbers);
        set(dot, 2, out);
        ok(cl!(clSetKernelArg(dot, 3, 4 * group, null())));
        let (global, mut event) = (groups * group, null_mut());
        ok(cl!(clEnqueueNDRangeKernel(
            host.queue,
            dot,
            1,
            null(),
            &global,
            &group,
            0,
            null(),
            &mut event
        )));
        ok(cl!(clWaitForEvents(1, &event)));
        let time = |name| {
            let bytes = host.answer(|size, value, ret| {
                cl!(clGetEventProfilingInfo(event, name, size, value, ret))
            });
            u64::from_ne_bytes(bytes.try_into().unwrap())
        };
        let cycles = (time(CL_PROFILING_COMMAND_END) - time(CL_PROFILING_COMMAND_START)) / 20;
        assert!(cycles > 100, "{cycles} cycles");
        let want = a.chunks(group).map(|part| {
            let mut part: Vec<f32> = part.iter().map(|value| value * value).collect();
            while part.len() > 1 {
                let (low, high) = part.split_at(part.len() / 2);
                part = low.iter().zip(high).map(|(low, high)| low + high).collect();
            }
            part[0].to_bits()
        });
        let mut want: Vec<u32> = want.collect();
        want.push(0);
        assert_eq!(host.read(out, 6), want);

        let bins = host.buffer(&[0; 4]);
        set(count, 0, host.buffer(&(0..13).collect::<Vec<u32>>()));
        set(count, 1, bins);
        ok(host.run(count, 13, 0));
        assert_eq!(host.read(bins, 4), [4, 3, 3, 3]);

        if round == 1 {
            set(fault, 0, out);
            ok(host.run(fault, 1, 1));
            assert_eq!(cl!(clFinish(host.queue)), CL_OUT_OF_RESOURCES);
        }
    }
    // A group is a whole SM at most.
    set(count, 1, host.buffer(&[0; 4]));
    assert_eq!(host.run(count, 32, 32), CL_INVALID_WORK_ITEM_SIZE);
}
