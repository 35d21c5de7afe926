//! Guarantees that hold under any faults of three replicas and the memory that they share.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// Everything that can happen. Times are in milliseconds.
#[derive(Debug, Clone, Copy)]
enum Event {
    Pass(u64),
    Requests(usize, usize),
    Maintain(usize),
    Cut(usize),
    Recover(usize),
    Flush,
    Restart,
}

const REPLICAS: usize = 3;

fn event() -> impl Strategy<Value = Event> {
    let replica = 0..REPLICAS;
    prop_oneof![
        4 => prop_oneof![0..500_u64, 0..20_000_u64].prop_map(Event::Pass),
        8 => (replica.clone(), 1..20_usize).prop_map(|(who, count)| Event::Requests(who, count)),
        6 => replica.clone().prop_map(Event::Maintain),
        1 => replica.clone().prop_map(Event::Cut),
        2 => replica.prop_map(Event::Recover),
        1 => Just(Event::Flush),
        1 => Just(Event::Restart),
    ]
}

fn quiet(event: &Event) -> bool {
    matches!(
        event,
        Event::Pass(_) | Event::Requests(..) | Event::Maintain(_)
    )
}

/// When requests were admitted.
async fn admissions(events: &[Event]) -> Vec<Duration> {
    let world = World::default();
    let replicas = replicas(&world, REPLICAS).await;
    let mut times = Vec::new();
    for event in events {
        match *event {
            Event::Pass(ms) => world.advance(Duration::from_millis(ms)),
            Event::Requests(who, count) => {
                let count = admitted(&replicas[who], LIMIT, world.now(), count).await;
                times.extend(std::iter::repeat_n(world.now(), count));
            }
            Event::Maintain(who) => replicas[who].maintain(world.now()).await,
            Event::Cut(who) => world.cut(who),
            Event::Recover(who) => world.recover(who),
            Event::Flush => world.flush(),
            Event::Restart => world.restart(),
        }
    }
    times
}

/// The most that were admitted in any window.
fn most(times: &[Duration]) -> usize {
    let counts = |at: &Duration, last: &Duration| at <= last && *last - *at < WINDOW;
    let within = |last| times.iter().filter(|at| counts(at, last)).count();
    times.iter().map(within).max().unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_window_has_more_than_twice_the_limit(events in vec(event(), 1..80)) {
        let most = most(&with_paused_time(admissions(&events)));
        prop_assert!(most <= 2 * LIMIT as usize, "{most}");
    }

    #[test]
    fn no_window_has_more_than_the_limit_while_redis_answers(
        events in vec(event().prop_filter("quiet", quiet), 1..80)
    ) {
        let most = most(&with_paused_time(admissions(&events)));
        prop_assert!(most <= LIMIT as usize, "{most}");
    }
}
