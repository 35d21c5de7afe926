//! The measurements, document by document.

use super::programs::Tool;
use crate::cost::Cost;

/// The costs of a generator with one document.
#[derive(Debug, Default)]
pub(super) struct Figures {
    /// The least cost of generation.
    pub(super) generation: Option<Cost>,
    /// Whether the generated crate compiles.
    pub(super) compiles: bool,
    /// The least cost of checking it.
    pub(super) check: Option<Cost>,
}

impl Figures {
    /// Takes in a run of the generator.
    pub(super) fn generated(&mut self, cost: Cost) {
        self.generation = Some(least(self.generation, cost));
    }

    /// Takes in a run of the compiler.
    pub(super) fn checked(&mut self, cost: Cost) {
        self.check = Some(least(self.check, cost));
    }

    /// Whether the generator can do the document.
    pub(super) fn generates(&self) -> bool {
        self.generation.is_some_and(|cost| cost.success)
    }

    /// Seconds of processor time for generation; `None` if it fails.
    pub(super) fn generation_seconds(&self) -> Option<f64> {
        let cost = self.generation.filter(|cost| cost.success)?;
        Some(cost.cpu.as_secs_f64())
    }

    /// Seconds of generation by the clock; `None` if it fails.
    pub(super) fn elapsed_seconds(&self) -> Option<f64> {
        let cost = self.generation.filter(|cost| cost.success)?;
        Some(cost.elapsed.as_secs_f64())
    }

    /// Seconds of processor time for the check; `None` without a crate that compiles.
    pub(super) fn check_seconds(&self) -> Option<f64> {
        let cost = self.check.filter(|cost| cost.success)?;
        Some(cost.cpu.as_secs_f64())
    }

    /// The peak memory of generation in megabytes; `None` if it fails.
    pub(super) fn megabytes(&self) -> Option<f64> {
        let cost = self.generation.filter(|cost| cost.success)?;
        Some(cost.memory as f64 / 1e6)
    }
}

fn least(known: Option<Cost>, cost: Cost) -> Cost {
    known.map_or(cost, |known| known.least(cost))
}

/// A document and the costs of each generator.
#[derive(Debug)]
pub(super) struct Row {
    /// The name of its file.
    pub(super) document: String,
    /// The size of the file in bytes.
    pub(super) size: u64,
    figures: [Figures; Tool::ALL.len()],
}

impl Row {
    /// A document without figures yet, of so many bytes.
    pub(super) fn of(document: &str, size: u64) -> Row {
        Row {
            document: document.to_owned(),
            size,
            figures: Default::default(),
        }
    }

    /// The figures of a generator.
    pub(super) fn of_mut(&mut self, tool: Tool) -> &mut Figures {
        let [own, oas3, o2r] = &mut self.figures;
        match tool {
            Tool::Own => own,
            Tool::Oas3Gen => oas3,
            Tool::OpenapiToRust => o2r,
        }
    }

    /// Our own figures.
    pub(super) fn own(&self) -> &Figures {
        let [own, ..] = &self.figures;
        own
    }

    /// The figures of each generator, ours first.
    pub(super) fn each(&self) -> impl Iterator<Item = &Figures> {
        self.figures.iter()
    }

    /// Our own figure, and the least of the peers' where one has any.
    pub(super) fn against(&self, figure: impl Fn(&Figures) -> Option<f64>) -> Option<(f64, f64)> {
        let peers = self.figures.iter().skip(1).filter_map(&figure);
        Some((figure(self.own())?, peers.reduce(f64::min)?))
    }
}
