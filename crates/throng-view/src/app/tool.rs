//! Tools: what the left button does on the map, and their settings.

use super::App;
use egui::{ComboBox, Slider, SliderClamping, Ui};

/// What the left button does on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Choose an agent.
    Select,
    /// Paint or erase discomfort.
    Discomfort,
    /// Paint or erase walls.
    Walls,
    /// Draw straight walls.
    Line,
    /// Draw rectangles of walls.
    Rectangle,
    /// Open, close and make doors.
    Door,
    /// Hold a soft obstacle into the crowd.
    Obstacle,
    /// Measure a distance.
    Measure,
    /// Drag goals.
    Goals,
    /// Drop people.
    Drop,
    /// Put, drag and take away clouds of gas.
    Gas,
    /// The same with ghosts.
    Ghost,
}

impl Tool {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Select,
        Self::Discomfort,
        Self::Walls,
        Self::Line,
        Self::Rectangle,
        Self::Door,
        Self::Obstacle,
        Self::Measure,
        Self::Goals,
        Self::Drop,
        Self::Gas,
        Self::Ghost,
    ];

    /// On its button.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Select => "Select",
            Self::Discomfort => "Discomfort",
            Self::Walls => "Walls",
            Self::Line => "Line",
            Self::Rectangle => "Rectangle",
            Self::Door => "Door",
            Self::Obstacle => "Obstacle",
            Self::Measure => "Measure",
            Self::Goals => "Move goals",
            Self::Drop => "Drop agents",
            Self::Gas => "Gas",
            Self::Ghost => "Ghost",
        }
    }

    /// In a sentence.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Select => "Click an agent to see all its values and its path.",
            Self::Discomfort => "Paint ground that people avoid; with Shift (or Erase) make it comfortable again.",
            Self::Walls => "Paint walls; with Shift (or Erase) take them away. Whoever stands there is put aside.",
            Self::Line => "Drag a straight wall. It snaps to corners of walls and to cells; with Shift it does not.",
            Self::Rectangle => {
                "Drag a block or a room. It snaps to corners of walls and to cells; with Shift it does not."
            }
            Self::Door => {
                "Click a door to open or close it. Click a wall, or drag along it, to make a door in it; click an \
                 opening, or drag from side to side, to hang a closed door there."
            }
            Self::Obstacle => {
                "Hold the button: people avoid the pointer, most of all its middle. Nothing is left of it."
            }
            Self::Measure => "Drag from one place to another to see how far it is. With Shift it does not snap.",
            Self::Goals => "Drag one shape of a goal somewhere else; it stays inside of the world.",
            Self::Drop => "Click to put more people on the floor.",
            Self::Gas => {
                "Click to let gas out, drag a cloud elsewhere; with Shift (or Erase) take it away. People flee."
            }
            Self::Ghost => {
                "Click to put a ghost there, drag one along; with Shift (or Erase) take it away. People flee."
            }
        }
    }
}

impl App {
    /// The settings of the tool in hand.
    pub(super) fn tool_section(&mut self, ui: &mut Ui) {
        if self.tool == Tool::Select {
            return;
        }
        ui.heading(self.tool.name());
        ui.label(self.tool.meaning());
        match self.tool {
            Tool::Discomfort | Tool::Walls => {
                let most = 0.25 * self.scene.grid.extent().min_element().max(4.0);
                self.radius(ui, 0.05..=most, "Of the brush");
                if self.tool == Tool::Discomfort {
                    ui.add(Slider::new(&mut self.brush.value, 0.0..=0.98).text("discomfort"))
                        .on_hover_text("What is painted: 0 is comfortable, 0.98 the most that is no wall");
                }
                ui.checkbox(&mut self.brush.erase, "erase").on_hover_text("Or hold Shift");
            }
            Tool::Line | Tool::Rectangle => {
                ui.add(Slider::new(&mut self.drawing.thickness, 0.0..=2.0).suffix(" m").text("thickness"))
                    .on_hover_text("Of the wall; 0 is a line that nobody crosses");
                if self.tool == Tool::Rectangle {
                    ui.checkbox(&mut self.drawing.filled, "filled").on_hover_text("A block; or else four walls");
                }
                self.snap_choice(ui);
            }
            Tool::Door => {
                ui.add(Slider::new(&mut self.drawing.door, 0.3..=6.0).suffix(" m").text("width"))
                    .on_hover_text("Of a door that a click makes");
            }
            Tool::Measure => self.snap_choice(ui),
            Tool::Obstacle => self.obstacle_section(ui),
            Tool::Gas | Tool::Ghost => {
                self.radius(ui, 0.3..=50.0, "Of the next one");
                ui.checkbox(&mut self.brush.erase, "erase").on_hover_text("Or hold Shift");
            }
            Tool::Drop => {
                ui.add(Slider::new(&mut self.brush.people, 1..=2000).logarithmic(true).text("people"));
                self.radius(ui, 0.3..=50.0, "Of the area that they are put into");
                let name = |i: usize| self.scene.groups.get(i).map_or("people of the defaults", |g| &g.name).to_owned();
                ComboBox::from_label("like").selected_text(name(self.brush.group)).show_ui(ui, |ui| {
                    for i in 0..self.scene.groups.len() {
                        ui.selectable_value(&mut self.brush.group, i, name(i));
                    }
                });
            }
            Tool::Select | Tool::Goals => {}
        }
        ui.separator();
    }

    fn radius(&mut self, ui: &mut Ui, range: std::ops::RangeInclusive<f32>, what: &str) {
        let slider = Slider::new(&mut self.brush.radius, range).logarithmic(true).suffix(" m").text("radius");
        // One tool's is another one's too.
        let slider = slider.clamping(SliderClamping::Edits);
        ui.add(slider).on_hover_text(what);
    }

    fn snap_choice(&mut self, ui: &mut Ui) {
        ui.checkbox(&mut self.drawing.snap, "snap")
            .on_hover_text("To corners of walls, in line with them, and to cells (Shift: not now)");
    }
}
