// Patience: the twin of patience.rs. The shader before which it comes binds motion, journey, guide, starts, and `temper`: four numbers an
// agent, of which the first is the steering's own; then patience used up, and time left to push or below 0 to give way, as even and as odd
// steps find it. Others read the one while the other is written. CAN_PUSH says whether the steering knows how to push.

const HEADWAY: f32 = 0.25;
const RIGHT_AHEAD: f32 = 1.0;
const ALONG: f32 = 0.3;
const ASIDE: vec2<f32> = vec2<f32>(-0.8568888, -0.5155014);
const ASIDE_SPEED: f32 = 0.45;
const SPELL: f32 = 2.0;
const YIELDING: f32 = 6.0;
const RECOVERY: f32 = 2.0;

struct Ahead {
    standing: bool,
    opponent: bool,
    yielding: f32,
}

// What somebody means to do: where, how fast, and whether it pushes.
struct Intent {
    way: vec2<f32>,
    speed: f32,
    pushes: bool,
}

fn rotated(v: vec2<f32>, turn: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(v.x * turn.x - v.y * turn.y, v.x * turn.y + v.y * turn.x);
}

// Who is right ahead.
fn look_ahead(i: u32, p: vec2<f32>, way: vec2<f32>) -> Ahead {
    let now = 2u + (params.step & 1u);
    let low = cell_xy(p - RIGHT_AHEAD);
    let high = cell_xy(p + RIGHT_AHEAD);
    var found = Ahead(false, false, 0.0);
    for (var row = low.y; row <= high.y; row++) {
        let end = starts[row * params.width + high.x + 1u];
        for (var j = starts[row * params.width + low.x]; j < end; j++) {
            let d = motion[j].xy - p;
            let far = length(d);
            if (j == i || far >= RIGHT_AHEAD || dot(d, way) <= ALONG * far) { continue; }
            let other = guide[j].xy;
            if (CAN_PUSH && other.x == 0.0 && other.y == 0.0) {
                found.standing = true;
            } else if (dot(other, way) < ALONG) {
                found.opponent = true;
            } else {
                found.yielding = max(found.yielding, -temper[4u * j + now]);
            }
        }
    }
    return found;
}

// Nobody who stands or has nowhere to go is in a mood.
fn rest(i: u32) {
    temper[4u * i + 1u] = 0.0;
    temper[4u * i + 3u - (params.step & 1u)] = 0.0;
}

// Notes how long one has made no headway against others, and says what it does.
fn intent_of(i: u32, told: vec4<f32>) -> Intent {
    let own = motion[i];
    var ahead = Ahead(false, false, 0.0);
    if (dot(own.zw, told.xy) < HEADWAY * told.z) { ahead = look_ahead(i, own.xy, told.xy); }
    var rate = -RECOVERY;
    if (ahead.yielding > 0.0 && !ahead.standing) { rate = YIELDING; } else if (ahead.standing || ahead.opponent) { rate = 1.0; }
    let used = temper[4u * i + 1u] + params.dt * rate;
    var mood = temper[4u * i + 2u + (params.step & 1u)];
    var left = clamp(used, 0.0, steering.patience);
    if (mood == 0.0 && used >= steering.patience) {
        let dice = draw(params.seed, journey[i].x, PATIENCE, params.step);
        let spell = SPELL * (0.5 + unit(dice.x));
        if (ahead.standing) { mood = spell; } else if (ahead.opponent) { mood = -spell; } else { mood = -min(spell, ahead.yielding); }
        left = 0.5 * steering.patience;
    }
    temper[4u * i + 1u] = left;
    temper[4u * i + 3u - (params.step & 1u)] = select(min(mood + params.dt, 0.0), max(mood - params.dt, 0.0), mood > 0.0);
    if (mood < 0.0) { return Intent(rotated(told.xy, ASIDE), min(told.z, ASIDE_SPEED), false); }
    return Intent(told.xy, told.z, mood > 0.0);
}
