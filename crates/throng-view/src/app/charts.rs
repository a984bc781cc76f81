//! The panel at the bottom: curves, times, memory, the log.

use super::App;
use crate::colour;
use crate::overlay::grouped;
use crate::shot::Shot;
use egui::{RichText, Ui};
use egui_plot::{AxisHints, Corner, Legend, Line, Plot, PlotPoints};
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
/// Moments of stage times that are kept.
const MOMENTS: usize = 240;

/// What the curves are made of.
#[derive(Debug)]
pub(super) struct History {
    /// Time, arrived, on the floor, most persons/m² now and so far, mean speed now.
    points: Vec<[f64; 6]>,
    /// Between points, s.
    every: f64,
    /// Wall seconds since the start, ms per step of each stage.
    stages: Vec<(f64, [f64; COUNT])>,
    last: Option<(Instant, u64, [f64; COUNT])>,
    began: Instant,
}

impl Default for History {
    fn default() -> Self {
        Self { points: Vec::new(), every: 0.2, stages: Vec::new(), last: None, began: Instant::now() }
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
        if self.points.last().is_none_or(|p| shot.time >= p[0] + self.every) {
            self.points.push([
                shot.time,
                c.arrived as f64,
                c.active as f64,
                f64::from(c.density),
                f64::from(c.density_max),
                f64::from(c.speed),
            ]);
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

    fn line(&self, name: &'static str, column: usize, kind: usize) -> Line<'static> {
        let points: Vec<[f64; 2]> = self.points.iter().map(|p| [p[0], p[column]]).collect();
        Line::new(name, PlotPoints::new(points)).color(colour::egui(colour::kind(kind))).width(2.0)
    }
}

/// Curves begin at zero, and are as wide as the time that they cover.
fn bounds(plot: &mut egui_plot::PlotUi<'_>, points: &[[f64; 6]]) {
    let end = points.last().map_or(0.0, |p| p[0]);
    plot.set_plot_bounds_x(0.0..=end.max(1.0));
}

fn plot(id: &str, x: &str, y: &str) -> Plot<'static> {
    Plot::new(id.to_owned())
        .legend(Legend::default().position(Corner::LeftTop))
        .include_y(0.0)
        .include_x(0.0)
        .allow_scroll(false)
        .x_axis_label(x.to_owned())
        .custom_y_axes(vec![upright(y)])
}

/// The panel is low: numbers of the upright axis may lie close together.
fn upright(label: &str) -> AxisHints<'static> {
    AxisHints::new_y().label(label.to_owned()).label_spacing(egui::Rangef::new(9.0, 16.0))
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
                    plot("arrivals", "simulated time, s", "persons").show(ui, |p| {
                        bounds(p, &self.history.points);
                        p.line(self.history.line("arrived", 1, 2));
                        p.line(self.history.line("on the floor", 2, 1));
                    });
                }
                Tab::Density => {
                    ui.columns(2, |columns| {
                        plot("density", "simulated time, s", "persons/m²").show(&mut columns[0], |p| {
                            bounds(p, &self.history.points);
                            p.line(self.history.line("most anywhere now", 3, 5));
                            p.line(self.history.line("most anywhere so far", 4, 0));
                        });
                        plot("speed", "simulated time, s", "m/s").show(&mut columns[1], |p| {
                            bounds(p, &self.history.points);
                            p.line(self.history.line("mean speed of those walking", 5, 1));
                        });
                    });
                }
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
            let list = egui::ScrollArea::vertical().id_salt("stage list").max_width(330.0).max_height(height);
            list.show(ui, |ui| {
                // The list is the legend of the curves.
                egui::Grid::new("stages").num_columns(4).spacing([8.0, 1.0]).show(ui, |ui| {
                    for row in 0..COUNT.div_ceil(2) {
                        for i in [row, row + COUNT.div_ceil(2)] {
                            if let Some(name) = NAMES.get(i) {
                                ui.colored_label(colour::egui(colour::kind(i)), *name);
                                ui.monospace(format!("{:8.3} ms", last[i]));
                            }
                        }
                        ui.end_row();
                    }
                    ui.strong("step");
                    ui.monospace(format!("{:8.3} ms", last.iter().sum::<f64>()));
                    ui.end_row();
                });
            });
            let curves = Plot::new("stage times")
                .height(height)
                .include_y(0.0)
                .allow_scroll(false)
                .x_axis_label("wall time, s")
                .custom_y_axes(vec![upright("ms per step")]);
            curves.show(ui, |p| {
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
