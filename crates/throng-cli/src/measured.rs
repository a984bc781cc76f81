//! What was measured of a run: who left where, lines and areas; for a person, as JSON, as tables and as charts.

use crate::out::grouped;
use crate::report::round;
use crate::results::Folder;
use serde_json::{Map, Value, json};
use throng::Scene;
use throng::geometry::Shape;
use throng::measure::Watch;
use throng::measure::places::{Area, LEVELS, Line, level_of_service};
use throng::measure::watch::{Exit, Journey};
use throng_io::{LineChart, Series, csv_cell};

/// Charts have so many curves at most: the busiest exits.
const CURVES: usize = 7;

/// Those who left by an exit.
fn through(watch: &Watch, exit: Exit) -> impl Iterator<Item = &Journey> {
    watch.arrived.iter().filter(move |j| j.exit == Some(exit))
}

/// Everything as one object.
pub(crate) fn json(scene: &Scene, watch: &Watch) -> Value {
    let exits: Vec<Value> = watch
        .exits()
        .into_iter()
        .map(|exit| {
            let all: Vec<&Journey> = through(watch, exit).collect();
            let of_group = |g: usize| all.iter().filter(|j| usize::from(j.group) == g).count();
            let groups = scene.groups.iter().enumerate().map(|(i, g)| (g.name.clone(), json!(of_group(i))));
            let time = |j: Option<&&Journey>| j.and_then(|j| j.arrival).map(|t| round(t, 4));
            json!({
                "name": watch.exit_name(exit),
                "goal": scene.goals.get(usize::from(exit.goal)).map(|g| g.name.as_str()),
                "shape": exit.shape,
                "arrived": all.len(),
                "arrived_by_group": groups.collect::<Map<_, _>>(),
                "first_s": time(all.first()),
                "last_s": time(all.last()),
            })
        })
        .collect();
    let groups: Vec<Value> = (0..scene.groups.len()).map(|i| group_json(scene, watch, i)).collect();
    json!({
        "exits": exits,
        "groups": groups,
        "lines": watch.lines.iter().map(line_json).collect::<Vec<_>>(),
        "areas": watch.areas.iter().map(area_json).collect::<Vec<_>>(),
    })
}

fn group_json(scene: &Scene, watch: &Watch, number: usize) -> Value {
    let all: Vec<&Journey> = watch.arrived.iter().filter(|j| usize::from(j.group) == number).collect();
    let mean = |value: &dyn Fn(&Journey) -> f64| {
        let sum: f64 = all.iter().map(|j| value(j)).sum();
        (!all.is_empty()).then(|| round(sum / all.len() as f64, 4))
    };
    json!({
        "name": scene.groups[number].name,
        "count": scene.groups[number].count,
        "arrived": all.len(),
        "mean_time_s": mean(&|j| j.arrival.unwrap_or(j.start) - j.start),
        "mean_distance_m": mean(&|j| f64::from(j.distance)),
        "mean_standing_s": mean(&|j| f64::from(j.standing)),
    })
}

fn line_json(line: &Line) -> Value {
    let [forward, backward] = line.counts();
    let flow = line.flow();
    json!({
        "name": line.name,
        "length_m": round(f64::from(line.length()), 4),
        "forward": forward,
        "backward": backward,
        "flow_per_s": flow.map(|f| round(f, 4)),
        "flow_per_m_s": flow.map(|f| round(f / f64::from(line.length()), 4)),
    })
}

fn area_json(area: &Area) -> Value {
    let levels = LEVELS.iter().zip(area.levels()).map(|(level, share)| (level.to_string(), json!(round(share, 4))));
    json!({
        "name": area.name,
        "area_m2": round(area.size, 4),
        "mean_density_per_m2": area.mean_density().map(|d| round(d, 4)),
        "max_density_per_m2": round(area.most_density(), 4),
        "mean_speed_m_per_s": area.mean_speed().map(|v| round(v, 4)),
        "level_of_service": levels.collect::<Map<_, _>>(),
    })
}

/// Names and numbers in a line that fits a terminal: the first few, and how many more there are.
fn the_first<'a>(counts: impl ExactSizeIterator<Item = (&'a str, u64)>) -> String {
    const SHOWN: usize = 5;
    let more = counts.len().saturating_sub(SHOWN);
    let shown: Vec<String> = counts.take(SHOWN).map(|(name, n)| format!("{name}: {}", grouped(n))).collect();
    let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
    shown.join(", ") + &rest
}

/// Lines of the report: label and words.
pub(crate) fn lines(scene: &Scene, watch: &Watch) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    let exits = watch.exits();
    if exits.len() > 1 {
        let count = |&exit: &Exit| (through(watch, exit).count() as u64, watch.exit_name(exit));
        let mut counts: Vec<(u64, String)> = exits.iter().map(count).collect();
        counts.sort_by_key(|(n, _)| std::cmp::Reverse(*n));
        lines.push(("by exit".to_owned(), the_first(counts.iter().map(|(n, name)| (name.as_str(), *n)))));
    }
    if scene.groups.len() > 1 && !watch.arrived.is_empty() {
        let count = |i: usize| watch.arrived.iter().filter(|j| usize::from(j.group) == i).count() as u64;
        let counts = scene.groups.iter().enumerate().map(|(i, g)| (g.name.as_str(), count(i)));
        lines.push(("by group".to_owned(), the_first(counts)));
    }
    for line in &watch.lines {
        let [forward, backward] = line.counts();
        let flow = line.flow().map_or(String::new(), |f| format!(", {f:.2} persons/s"));
        lines.push(("line".to_owned(), format!("{}: {forward} forward, {backward} backward{flow}", line.name)));
    }
    for area in &watch.areas {
        let (density, speed) = (area.mean_density().unwrap_or(0.0), area.mean_speed());
        let speed = speed.map_or(String::new(), |v| format!(", {v:.2} m/s"));
        let level = |d: f64| LEVELS[level_of_service(d)];
        lines.push((
            "area".to_owned(),
            format!(
                "{}: {density:.2} persons/m² (level {}), at most {:.2} (level {}){speed}",
                area.name,
                level(density),
                area.most_density(),
                level(area.most_density())
            ),
        ));
    }
    lines
}

/// A row for every journey.
pub(crate) fn people_csv(scene: &Scene, watch: &Watch) -> String {
    let mut text = String::from("id,group,start_s,arrival_s,distance_m,standing_s,exit\n");
    let mut rows: Vec<Journey> = watch.journeys().collect();
    rows.sort_by(|a, b| a.id.cmp(&b.id).then(a.start.total_cmp(&b.start)));
    for j in rows {
        let group = scene.groups.get(usize::from(j.group)).map_or("", |g| g.name.as_str());
        let arrival = j.arrival.map_or(String::new(), |t| format!("{t:.3}"));
        let exit = j.exit.map_or(String::new(), |e| csv_cell(&watch.exit_name(e)));
        let (id, start, distance, standing) = (j.id, j.start, j.distance, j.standing);
        text += &format!("{id},{},{start:.3},{arrival},{distance:.3},{standing:.3},{exit}\n", csv_cell(group));
    }
    text
}

/// Tables and charts of every run.
const OF_EXITS: [&str; 2] = ["exits.csv", "exits.png"];
/// Those of lines, and of areas.
const OF_LINES: [&str; 2] = ["crossings.csv", "crossings.png"];
const OF_AREAS: [&str; 3] = ["areas.csv", "areas-density.png", "areas-speed.png"];

/// The files that [`write()`] makes of a run of a scene.
pub(crate) fn files(scene: &Scene) -> Vec<&'static str> {
    let mut files = OF_EXITS.to_vec();
    for measure in &scene.measures {
        files.extend(if matches!(measure.shape, Shape::Line(_)) { &OF_LINES[..] } else { &OF_AREAS[..] });
    }
    files.sort_unstable();
    files.dedup();
    files
}

/// Tables and charts, into the folder of results. `span` is when what was measured begins and ends, s.
pub(crate) fn write(folder: &mut Folder<'_>, scene: &Scene, watch: &Watch, span: (f64, f64)) {
    let draw = |folder: &mut Folder<'_>, file: &str, what: &str, y: &str, series: Vec<Series>| {
        // A curve alone has no legend.
        let of = if let [only] = &series[..] { format!(" ({})", only.name) } else { String::new() };
        let title = format!("{}: {what}{of}", scene.name);
        let chart = LineChart { title, x_label: "time, s".into(), y_label: y.into(), series, ..LineChart::default() };
        folder.picture(file, &chart.render(960, 540));
    };
    let group = |g: u16| scene.groups.get(usize::from(g)).map_or("", |g| g.name.as_str());
    let mut text = String::from("time_s,id,group,exit\n");
    for j in &watch.arrived {
        let exit = j.exit.map_or(String::new(), |e| csv_cell(&watch.exit_name(e)));
        text += &format!("{:.3},{},{},{exit}\n", j.arrival.unwrap_or(0.0), j.id, csv_cell(group(j.group)));
    }
    folder.text(OF_EXITS[0], &text);
    let mut series: Vec<Series> = watch
        .exits()
        .into_iter()
        .map(|e| steps(watch.exit_name(e), span, through(watch, e).filter_map(|j| j.arrival)))
        .collect();
    series.sort_by_key(|s| std::cmp::Reverse(s.points.len()));
    series.truncate(CURVES);
    draw(folder, OF_EXITS[1], "arrivals by exit", "people", series);
    if !watch.lines.is_empty() {
        let mut text = String::from("time_s,line,id,direction\n");
        for line in &watch.lines {
            for c in &line.crossings {
                let way = if c.forward { "forward" } else { "backward" };
                text += &format!("{:.3},{},{},{way}\n", c.time, csv_cell(&line.name), c.id);
            }
        }
        folder.text(OF_LINES[0], &text);
        let counted = |l: &Line| steps(l.name.clone(), span, l.crossings.iter().map(|c| c.time));
        let curves = watch.lines.iter().map(counted).take(CURVES).collect();
        draw(folder, OF_LINES[1], "crossings, both ways", "people", curves);
    }
    if !watch.areas.is_empty() {
        let mut text = String::from("time_s,area,persons,density_per_m2,mean_speed_m_per_s,level_of_service\n");
        for area in &watch.areas {
            for s in &area.samples {
                let (name, density) = (csv_cell(&area.name), area.density(s));
                let speed = if s.persons > 0 { format!("{:.4}", s.speed) } else { String::new() };
                let level = LEVELS[level_of_service(density)];
                text += &format!("{:.3},{name},{},{density:.4},{speed},{level}\n", s.time, s.persons);
            }
        }
        folder.text(OF_AREAS[0], &text);
        let curve = |a: &Area, y: &dyn Fn(&throng::measure::places::Sample) -> f64| Series {
            name: a.name.clone(),
            points: a.samples.iter().map(|s| (s.time, y(s))).collect(),
        };
        let densities = watch.areas.iter().map(|a| curve(a, &|s| a.density(s))).take(CURVES).collect();
        draw(folder, OF_AREAS[1], "density", "persons/m²", densities);
        let speed = |s: &throng::measure::places::Sample| if s.persons > 0 { f64::from(s.speed) } else { f64::NAN };
        let speeds = watch.areas.iter().map(|a| curve(a, &speed)).take(CURVES).collect();
        draw(folder, OF_AREAS[2], "mean speed", "m/s", speeds);
    }
}

/// A count that grows by one at each time, from the beginning of a run to its end.
fn steps(name: String, (begin, end): (f64, f64), times: impl Iterator<Item = f64>) -> Series {
    let mut points = vec![(begin, 0.0)];
    for (before, t) in times.enumerate() {
        points.extend([(t, before as f64), (t, (before + 1) as f64)]);
    }
    points.extend(points.last().map(|&(_, count)| (end, count)));
    Series { name, points }
}
