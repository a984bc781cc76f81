//! The panel at the bottom: curves, times, memory, the log.

use super::App;
use crate::colour;
use crate::overlay::grouped;
use crate::shot::Shot;
use egui::{RichText, Ui};
use egui_plot::{AxisHints, Line, Plot, PlotPoints};
use std::time::Instant;
use throng::stages::{COUNT, NAMES};

/// What the panel shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    /// Who has arrived, who is on the floor.
    Arrivals,
    /// Peak density and mean speed.
    Density,
    /// Milliseconds of each stage.
    Stages,
    /// Bytes of each buffer.
    Memory,
    /// What happened.
    Log,
}

impl Tab {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Arrivals, "Arrivals"),
        (Self::Density, "Density"),
        (Self::Stages, "Time per stage"),
        (Self::Memory, "Memory"),
        (Self::Log, "Log"),
    ];
}

/// Points that a curve keeps; then every second one is forgotten.
const MOST_POINTS: usize = 2048;
/// Room for the names of curves, points.
const NAMES_WIDTH: f32 = 110.0;
/// Moments of stage times that are kept.
const MOMENTS: usize = 240;

/// What the curves are made of.
#[derive(Debug)]
pub(super) struct History {
    /// Time, arrived, on the floor, most persons/m² now and so far, mean speed now.
    points: Vec<[f64; 6]>,
    /// The same of now: a run that has ended ends its curves, too.
    now: [f64; 6],
    /// Between points, s.
    every: f64,
    /// Wall seconds since the start, ms per step of each stage.
    stages: Vec<(f64, [f64; COUNT])>,
    last: Option<(Instant, u64, [f64; COUNT])>,
    began: Instant,
}

impl Default for History {
    fn default() -> Self {
        Self { points: Vec::new(), now: [0.0; 6], every: 0.2, stages: Vec::new(), last: None, began: Instant::now() }
    }
}

impl History {
    pub(super) fn note(&mut self, shot: &Shot) {
        let c = &shot.counters;
        if self.points.last().is_some_and(|p| p[0] > shot.time) {
            // It has gone back: what comes is drawn anew.
            self.points.retain(|p| p[0] <= shot.time);
            self.last = None;
        }
        self.now = [
            shot.time,
            c.arrived as f64,
            c.active as f64,
            f64::from(c.density),
            f64::from(c.density_max),
            f64::from(c.speed),
        ];
        if self.points.last().is_none_or(|p| shot.time >= p[0] + self.every) {
            self.points.push(self.now);
            if self.points.len() > MOST_POINTS {
                self.points = self.points.iter().step_by(2).copied().collect();
                self.every *= 2.0;
            }
        }
        let (when, steps, ms) = self.last.unwrap_or((Instant::now(), shot.steps, shot.stage_ms));
        if self.last.is_none() || (when.elapsed().as_secs_f32() > 0.25 && shot.counters.steps > steps) {
            let n = shot.counters.steps.saturating_sub(steps);
            if n > 0 {
                let per_step = std::array::from_fn(|i| (shot.stage_ms[i] - ms[i]).max(0.0) / n as f64);
                self.stages.push((self.began.elapsed().as_secs_f64(), per_step));
                if self.stages.len() > MOMENTS {
                    self.stages.remove(0);
                }
            }
            self.last = Some((Instant::now(), shot.counters.steps, shot.stage_ms));
        }
    }

    /// Curves over time: each with its name, its column and its colour. The names stand beside them, where they hide nothing.
    fn chart(&self, ui: &mut Ui, id: &str, unit: &str, curves: &[(&'static str, usize, usize)]) {
        let height = ui.available_height();
        ui.horizontal_top(|ui| {
            ui.vertical(|ui| {
                ui.set_width(NAMES_WIDTH);
                for (name, _, kind) in curves {
                    ui.colored_label(colour::egui(colour::kind(*kind)), *name);
                }
            });
            plot(id, "simulated time, s", unit).height(height).show(ui, |p| {
                // Curves begin at zero, and are as wide as the time that they cover.
                p.set_plot_bounds_x(0.0..=self.now[0].max(1.0));
                for &(name, column, kind) in curves {
                    p.line(self.line(name, column, kind));
                }
            });
        });
    }

    /// Points of a curve, up to now.
    fn curve(&self, column: usize) -> impl Iterator<Item = [f64; 2]> + '_ {
        let kept = self.points.last().map_or(f64::NEG_INFINITY, |p| p[0]);
        let last = (self.now[0] > kept).then_some(&self.now);
        self.points.iter().chain(last).map(move |p| [p[0], p[column]])
    }

    fn line(&self, name: &'static str, column: usize, kind: usize) -> Line<'static> {
        let points: Vec<[f64; 2]> = self.curve(column).collect();
        Line::new(name, PlotPoints::new(points)).color(colour::egui(colour::kind(kind))).width(2.0)
    }
}

fn plot(id: &str, x: &str, y: &str) -> Plot<'static> {
    Plot::new(id.to_owned())
        .include_y(0.0)
        // The highest curve is not half hidden by the frame.
        .set_margin_fraction(egui::vec2(0.0, 0.08))
        .y_grid_spacer(egui_plot::uniform_grid_spacer(round_steps))
        .allow_scroll(false)
        .x_axis_label(x.to_owned())
        .custom_y_axes(vec![upright(y)])
}

/// Lines at 1, 2 or 5 times a power of ten: few enough for the numbers of a low panel, and more than two.
fn round_steps(input: egui_plot::GridInput) -> [f64; 3] {
    let least = ((input.bounds.1 - input.bounds.0) / 5.0).max(1e-9);
    let ten = 10f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0].into_iter().map(|k| k * ten).find(|step| *step >= least).unwrap_or(10.0 * ten);
    [step, 10.0 * step, 100.0 * step]
}

/// The panel is low: numbers of the upright axis may lie close together.
fn upright(label: &str) -> AxisHints<'static> {
    AxisHints::new_y()
        .label(label.to_owned())
        .label_spacing(egui::Rangef::new(9.0, 16.0))
        .formatter(|mark, _| format!("{:.*}", decimals(mark.step_size), mark.value))
}

/// As many as a step of an axis needs: steps of 0.5 need one, which a logarithm that is rounded does not tell.
fn decimals(step: f64) -> usize {
    (-step.log10()).ceil().clamp(0.0, 9.0) as usize
}

#[cfg(test)]
#[test]
fn a_curve_ends_with_what_is_now() {
    let history = History {
        points: vec![[0.0; 6], [0.2, 1.0, 9.0, 0.0, 0.0, 0.0]],
        now: [0.28, 10.0, 0.0, 0.0, 0.0, 0.0],
        ..History::default()
    };
    assert_eq!(history.curve(1).last(), Some([0.28, 10.0]));
    assert_eq!(history.curve(2).last(), Some([0.28, 0.0]));
    let kept = History { now: [0.2, 1.0, 9.0, 0.0, 0.0, 0.0], ..history };
    assert_eq!(kept.curve(1).count(), 2, "no point is there twice");
}

#[cfg(test)]
#[test]
fn numbers_of_an_axis_have_the_decimals_that_tell_them_apart() {
    assert_eq!([100.0, 2.0, 1.0, 0.5, 0.2, 0.1, 0.05].map(decimals), [0, 0, 0, 1, 1, 1, 2]);
}

/// Bytes for a person.
fn bytes(n: u64) -> String {
    match n {
        0..10_000 => format!("{n} B"),
        10_000..10_000_000 => format!("{:.0} kB", n as f64 / 1e3),
        10_000_000..10_000_000_000 => format!("{:.0} MB", n as f64 / 1e6),
        _ => format!("{:.1} GB", n as f64 / 1e9),
    }
}

impl App {
    pub(super) fn charts(&mut self, ui: &mut Ui) {
        egui::Panel::bottom("charts").resizable(true).default_size(170.0).min_size(90.0).show(ui, |ui| {
            ui.horizontal(|ui| {
                for (tab, name) in Tab::ALL {
                    ui.selectable_value(&mut self.tab, tab, name);
                }
                if let Some(shot) = &self.shot {
                    let c = &shot.counters;
                    ui.separator();
                    ui.label(format!(
                        "{} on the floor, {} arrived, {} outside; peak {:.1} persons/m²; mean speed {:.2} m/s",
                        grouped(c.active),
                        grouped(c.arrived),
                        grouped(c.outside),
                        c.density_max,
                        c.mean_speed
                    ));
                }
            });
            // What a tab shows does not change how high the panel is.
            ui.set_min_height(ui.available_height());
            match self.tab {
                Tab::Arrivals => {
                    self.history.chart(ui, "arrivals", "persons", &[("on the floor", 2, 1), ("arrived", 1, 2)]);
                }
                Tab::Density => ui.columns(2, |columns| {
                    let density = [("most anywhere so far", 4, 0), ("most anywhere now", 3, 5)];
                    self.history.chart(&mut columns[0], "density", "persons/m²", &density);
                    let speed = [("mean speed of those walking", 5, 1)];
                    self.history.chart(&mut columns[1], "speed", "m/s", &speed);
                }),
                Tab::Stages => self.stages(ui),
                Tab::Memory => self.memory(ui),
                Tab::Log => {
                    egui::ScrollArea::vertical().stick_to_bottom(true).auto_shrink(false).show(ui, |ui| {
                        for (trouble, line) in &self.log {
                            let text = RichText::new(line).monospace();
                            ui.label(if *trouble { text.color(ui.visuals().warn_fg_color) } else { text });
                        }
                    });
                }
            }
        });
    }

    fn stages(&mut self, ui: &mut Ui) {
        let last = self.history.stages.last().map_or([0.0; COUNT], |s| s.1);
        let height = ui.available_height();
        ui.horizontal_top(|ui| {
            let list = egui::ScrollArea::vertical().id_salt("stage list").max_width(430.0).max_height(height);
            list.show(ui, |ui| {
                // The list is the legend of the curves. So many columns that it is no higher than the panel is at first.
                const ROWS: usize = (COUNT + 1).div_ceil(3);
                egui::Grid::new("stages").num_columns(6).spacing([8.0, 1.0]).show(ui, |ui| {
                    for row in 0..ROWS {
                        for i in [row, row + ROWS, row + 2 * ROWS] {
                            if let Some(name) = NAMES.get(i) {
                                ui.colored_label(colour::egui(colour::kind(i)), *name);
                                ui.monospace(format!("{:7.2} ms", last[i]));
                            } else if i == COUNT {
                                ui.strong("step");
                                ui.monospace(format!("{:7.2} ms", last.iter().sum::<f64>()));
                            }
                        }
                        ui.end_row();
                    }
                });
            });
            plot("stage times", "wall time, s", "ms per step").height(height).show(ui, |p| {
                for (i, name) in NAMES.iter().enumerate() {
                    let points: Vec<[f64; 2]> = self.history.stages.iter().map(|(t, ms)| [*t, ms[i]]).collect();
                    p.line(Line::new(*name, PlotPoints::new(points)).color(colour::egui(colour::kind(i))).width(1.5));
                }
                if let (Some(a), Some(b)) = (self.history.stages.first(), self.history.stages.last()) {
                    p.set_plot_bounds_x(a.0..=b.0.max(a.0 + 1.0));
                }
            });
        });
    }

    fn memory(&mut self, ui: &mut Ui) {
        let Some(shot) = &self.shot else { return };
        let total: u64 = shot.buffers.iter().map(|b| b.1).sum();
        ui.label(format!("{} in all", bytes(total)));
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let mut list = shot.buffers.clone();
            list.sort_by_key(|b| std::cmp::Reverse(b.1));
            // As many columns of name and size as there is room for.
            let columns = ((ui.available_width() / 170.0) as usize).max(1);
            egui::Grid::new("buffers").num_columns(2 * columns).spacing([12.0, 3.0]).striped(true).show(ui, |ui| {
                for row in list.chunks(columns) {
                    for (name, n) in row {
                        ui.label(name);
                        ui.strong(bytes(*n));
                    }
                    ui.end_row();
                }
            });
        });
    }
}
