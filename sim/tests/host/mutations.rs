//! Each departure from a requirement is noticed: by the judge of the random programs, or by a directed test.

use crate::bench::MUTATION;
use crate::{channels, domains, doorbells, fields, placement, random};
use std::panic::catch_unwind;
use weft_sim::host::Mutation::{self, *};

/// What no random program meets, and the test that does.
const DIRECTED: [(Mutation, fn()); 28] = [
    (
        PutIsNotChecked,
        doorbells::a_put_beyond_the_ring_stops_the_channel_and_is_not_taken,
    ),
    (
        GetIsNotLocked,
        doorbells::registers_of_a_channel_that_runs_are_locked,
    ),
    (
        ReachIsNotChecked,
        fields::what_threads_can_write_reaches_only_what_threads_can_write,
    ),
    (
        PriorityIsReversed,
        channels::the_highest_priority_has_every_step_it_can_use,
    ),
    (
        RoundIsUnfair,
        channels::the_highest_priority_has_every_step_it_can_use,
    ),
    (
        NobodyGivesWay,
        channels::reads_do_not_turn_the_round_of_the_others,
    ),
    (
        WaitersGoByPriority,
        channels::who_waits_reads_whatever_its_priority,
    ),
    (
        RoundIsShared,
        channels::reads_do_not_turn_the_round_of_the_others,
    ),
    (
        AnyValueAcquires,
        channels::an_acquire_waits_and_holds_nobody_up,
    ),
    (AtLeastIsUnsigned, channels::at_least_is_circular),
    (NeverTimesOut, channels::an_acquire_times_out),
    (
        PutIsNotRecycled,
        channels::a_gpu_owned_channel_gives_its_entries_back,
    ),
    (
        ShadowIsNotWritten,
        channels::a_gpu_owned_channel_gives_its_entries_back,
    ),
    (ErrorsGoOn, fields::entries),
    (BusyIsNotChecked, fields::fields_of_a_grid),
    (ThreadsHaveNoLimit, placement::threads_have_so_many_places),
    (
        LevelIsNotBounded,
        placement::the_level_of_threads_is_bounded,
    ),
    (
        NobodyIsEvicted,
        placement::a_higher_level_evicts_at_a_cta_boundary_and_no_cta_is_lost,
    ),
    (
        FailureIsForgotten,
        placement::a_failed_cta_is_reported_and_the_task_completes,
    ),
    (
        LimitIsNotBounded,
        placement::a_killed_task_starts_nothing_more_and_has_failed,
    ),
    (
        KilledGoesOn,
        placement::a_killed_task_starts_nothing_more_and_has_failed,
    ),
    (
        KilledIsNotFailed,
        placement::a_killed_task_starts_nothing_more_and_has_failed,
    ),
    (
        KilledLaunches,
        placement::a_killed_task_starts_nothing_more_and_has_failed,
    ),
    (
        LostTicketIsSilent,
        placement::a_lost_ticket_is_reported_and_the_ring_goes_on,
    ),
    (
        WindowsAreOne,
        domains::what_threads_say_reaches_the_window_of_their_domain,
    ),
    (HeaderChooses, domains::threads_do_not_choose_their_domain),
    (
        DependentsAreOfDomainZero,
        domains::threads_do_not_choose_their_domain,
    ),
    (
        HeadIsTail,
        placement::the_highest_list_goes_first_and_each_in_order,
    ),
];

#[test]
fn every_mutation_is_noticed() {
    let noticed = |mutation: &Mutation| match DIRECTED.iter().find(|(m, _)| m == mutation) {
        Some((_, test)) => {
            MUTATION.set(Some(*mutation));
            let failed = catch_unwind(test).is_err();
            MUTATION.set(None);
            failed
        }
        None => (0..50).any(|seed| {
            let met = catch_unwind(|| random::program(seed, Some(*mutation)));
            met.map_or(true, |met| met.is_err())
        }),
    };
    let missed: Vec<Mutation> = Mutation::ALL.into_iter().filter(|m| !noticed(m)).collect();
    assert_eq!(missed, []);
}
