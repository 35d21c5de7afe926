//! The memory of a server over time.

use super::deployment::Deployment;
use super::repeat;
use std::io;
use std::time::{Duration, Instant};

/// Memory may grow while caches fill, in the first of so many parts of the time.
const WARM_UP_DIVISOR: usize = 4;

/// Measurements of one server: minutes since the first, and MiB.
#[derive(Default)]
pub(super) struct Memory(Vec<(f64, f64)>);

impl Memory {
    /// The measurements after the warm-up.
    fn warm(&self) -> &[(f64, f64)] {
        self.0
            .get(self.0.len() / WARM_UP_DIVISOR..)
            .unwrap_or_default()
    }

    /// The first and the last measurement after the warm-up, in MiB.
    pub(super) fn first_and_last(&self) -> (f64, f64) {
        let mib = |sample: Option<&(f64, f64)>| sample.map_or(0.0, |(_, mib)| *mib);
        (mib(self.warm().first()), mib(self.warm().last()))
    }

    /// The growth after the warm-up, in MiB per minute, by least squares.
    pub(super) fn slope(&self) -> f64 {
        let samples = self.warm();
        let count = samples.len() as f64;
        let minutes = samples.iter().map(|(minutes, _)| minutes).sum::<f64>() / count;
        let mib = samples.iter().map(|(_, mib)| mib).sum::<f64>() / count;
        let products = samples.iter().map(|(x, y)| (x - minutes) * (y - mib));
        let squares = samples.iter().map(|(x, _)| (x - minutes).powi(2));
        match squares.sum::<f64>() {
            0.0 => 0.0,
            squares => products.sum::<f64>() / squares,
        }
    }
}

/// Measures the memory of all servers every two seconds.
///
/// # Errors
/// When a server has ended.
pub(super) fn watch(deployment: &Deployment, end: Instant) -> io::Result<Vec<Memory>> {
    let start = Instant::now();
    let mut all: Vec<Memory> = deployment
        .servers
        .iter()
        .map(|_| Memory::default())
        .collect();
    repeat(end, Duration::from_secs(2), |_| {
        for (memory, server) in all.iter_mut().zip(&deployment.servers) {
            let minutes = start.elapsed().as_secs_f64() / 60.0;
            let mib = server.memory()? as f64 / f64::from(1 << 20);
            memory.0.push((minutes, mib));
        }
        Ok(())
    })?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_that_after_the_warm_up() {
        let warm = [(0.0, 10.0), (1.0, 50.0)];
        let grows = (2..8).map(|n| (f64::from(n), 52.0 + 2.0 * f64::from(n)));
        let memory = Memory(warm.into_iter().chain(grows).collect());
        assert!((memory.slope() - 2.0).abs() < 1e-9);
        assert_eq!(memory.first_and_last(), (56.0, 66.0));
    }
}
