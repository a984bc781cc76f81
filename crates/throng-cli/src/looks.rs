//! Looks at the crowd between steps, for the recording and for what is measured. An engine is asked and brings the crowd when
//! it can: no step waits for it.

use crate::Failure;
use crate::args::RunArgs;
use crate::record::{Floor, Plan, Recorded, Recorder, WAITING};
use std::collections::VecDeque;
use throng::Simulation;
use throng::engine::{Answer, EngineError, Request, Ticket};
use throng::measure::Watch;

/// A look that the engine is bringing.
struct Asked {
    ticket: Ticket,
    step: u64,
    measure: bool,
    record: bool,
    floor: Option<Box<Floor>>,
}

/// Who looks.
#[derive(Default)]
pub(crate) struct Looks {
    asked: VecDeque<Asked>,
    recorder: Option<Recorder>,
    watch: Option<Watch>,
}

impl Looks {
    /// Begins to record, if there is a plan, and to measure, if anybody wants to know or it costs next to nothing. A run that
    /// goes on from a snapshot has had the frame of its first step already.
    pub(crate) fn begin(args: &RunArgs, plan: Option<Plan>, sim: &mut Simulation) -> Result<Self, Failure> {
        let mut looks = Self::default();
        let wanted = args.people.is_some() || args.out.is_some() || !sim.scene().measures.is_empty();
        if wanted || sim.engine().name() == "cpu" {
            let agents = sim.agents()?;
            looks.watch = Some(Watch::new(sim.scene(), &agents, sim.steps()));
        }
        if let Some(plan) = plan {
            looks.recorder = Some(Recorder::begin(plan, sim)?);
            if args.resume.is_none() {
                looks.ask(sim, false);
            }
        }
        Ok(looks)
    }

    /// After each step: asks for the crowd if anybody wants to see it, and shows what has come.
    pub(crate) fn look(&mut self, sim: &mut Simulation) -> Result<(), EngineError> {
        let measure = self.watch.as_ref().is_some_and(|w| w.is_due(sim.steps()));
        self.ask(sim, measure);
        self.show(sim, WAITING)
    }

    fn ask(&mut self, sim: &mut Simulation, measure: bool) {
        let step = sim.steps();
        let recorder = self.recorder.as_mut().filter(|r| r.is_due(step));
        let record = recorder.is_some();
        if measure || record {
            let floor = recorder.and_then(|r| r.floor(sim));
            let ticket = sim.engine_mut().request(Request::Agents);
            self.asked.push_back(Asked { ticket, step, measure, record, floor });
        }
    }

    /// Shows looks in order, as far as they have come; waits until only so many are missing.
    fn show(&mut self, sim: &mut Simulation, most: usize) -> Result<(), EngineError> {
        while let Some(next) = self.asked.front() {
            let Some(Answer::Agents(agents)) = sim.engine_mut().poll(next.ticket)? else {
                if self.asked.len() <= most {
                    break;
                }
                std::thread::yield_now();
                continue;
            };
            let Some(Asked { step, measure, record, floor, .. }) = self.asked.pop_front() else { break };
            if let (true, Some(watch)) = (measure, &mut self.watch) {
                watch.look(&agents, step);
            }
            if let (true, Some(recorder)) = (record, &mut self.recorder) {
                recorder.add(step, agents, floor);
            }
        }
        Ok(())
    }

    /// Shows what is left, as far as the engine still answers, and ends the recording.
    pub(crate) fn finish(mut self, sim: &mut Simulation) -> (Option<Recorded>, Option<Watch>) {
        // The last arrivals may lie between two looks. An engine that has failed is reported by whoever asked it to step.
        let missing = self.watch.as_ref().is_some_and(|w| !w.is_due(sim.steps()));
        if missing {
            let ticket = sim.engine_mut().request(Request::Agents);
            self.asked.push_back(Asked { ticket, step: sim.steps(), measure: true, record: false, floor: None });
        }
        let _ = self.show(sim, 0);
        (self.recorder.map(Recorder::finish), self.watch)
    }
}
