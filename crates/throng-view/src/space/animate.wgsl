// What everybody does, by id, since columns are permuted in every step: which clip it is in and how far, which one it comes from;
// and from that the keys that it is between. From one act to another it goes through the transitions that there are for it.

@group(1) @binding(0) var<storage, read> motion: array<vec4<f32>>;
@group(1) @binding(1) var<storage, read> journey: array<vec4<u32>>;
@group(1) @binding(2) var<storage, read> characters: array<Character>;
@group(1) @binding(3) var<storage, read> table: array<vec4<u32>>;
@group(1) @binding(4) var<storage, read_write> living: array<Living>;
// Of each agent: the first matrix of the key in the clip now and in the one before, how far to the next keys (two 16-bit
// shares), and the share of the clip before.
@group(1) @binding(5) var<storage, read_write> poses: array<vec4<u32>>;
@group(1) @binding(6) var<uniform> shape: Shape;

const GAITS: u32 = 3u;
const STAND: u32 = 0u;
const WALK: u32 = 1u;
const RUN: u32 = 2u;
// Somebody begins to walk at the larger speed and stops at the smaller one, m/s; to run likewise, in heights a second:
// who is 1.75 m tall at 2.3 m/s.
const WALKS: vec2<f32> = vec2<f32>(0.08, 0.12);
const RUNS: vec2<f32> = vec2<f32>(1.1, 1.3);
// The same for those who do something on the spot, m/s: slower ones are pushed aside, or nearly at their place.
const STAYS: vec2<f32> = vec2<f32>(0.3, 0.5);
// Fades, s: from one act to another, and where a transition joins what it leads from or to.
const FADES_IN: f32 = 0.3;
const JOINS_IN: f32 = 0.12;
// Nobody runs as fast, m/s: who is farther away was put there. And so much farther, m: contacts push people out of each other.
const FASTEST: f32 = 12.0;
const PUSHED: f32 = 0.3;
// s: who was not seen for so long is shown as it is now.
const UNSEEN: f32 = 0.5;
const LONG_AGO: f32 = 1000.0;

fn gait_of(speed: f32, tall: f32, before: u32, stays: bool) -> u32 {
    let walks = select(WALKS, STAYS, stays);
    if (speed < select(walks.x, walks.y, before == STAND)) { return STAND; }
    return select(WALK, RUN, speed > tall * select(RUNS.y, RUNS.x, before == RUN));
}

// What moves somebody on in its clips.
struct Pace {
    walked: f32,        // m of a character of its own size since the frame before
    speed: f32,         // of such m, in a second
    stands: bool,
    phase: f32,         // its own, 0 to 1
    left: f32,          // s until what it does is over; 0 if that is not known
}

fn leads(clip: Clip) -> bool { return clip.role != clip.from_; }

// How long a loop takes somebody: up to a tenth more or less, so that those who begin together do not stay in step.
fn loop_seconds(clip: Clip, pace: Pace) -> f32 { return clip.seconds * (0.9 + 0.2 * pace.phase); }

// One that is driven by distance goes on by a cycle for every stride, so that feet stay where they are. One that is played once stays at its end.
fn advanced(clip: Clip, phase: f32, pace: Pace) -> f32 {
    if (clip.stride > 0.0) {
        var on = pace.walked / clip.stride;
        // Who stops short of a stride still comes to stand.
        if (!clip.looped && pace.stands) { on = max(on, space.elapsed / clip.seconds); }
        return select(min(phase + on, 1.0), fract(phase + on), clip.looped);
    }
    if (clip.looped) { return fract(phase + space.elapsed / loop_seconds(clip, pace)); }
    // A transition has its own time, an act that is played once ends with its state.
    if (leads(clip) || pace.left <= 0.0) { return min(phase + space.elapsed / clip.seconds, 1.0); }
    return phase + (1.0 - phase) * space.elapsed / (pace.left + space.elapsed);
}

// Where somebody is in a clip that it was in before it was looked at.
fn usual(clip: Clip, pace: Pace) -> f32 {
    if (clip.stride > 0.0) { return pace.phase; }
    if (clip.looped) { return fract(space.time / clip.seconds + pace.phase); }
    return clamp(1.0 - pace.left / clip.seconds, 0.0, 1.0);
}

// How long it takes to fade between two clips: shortly into a start, which is under way at once, and where a transition ends, which is as what
// comes after it. One that is done on the spot begins slowly.
fn fade_of(clip: Clip, before: Clip) -> f32 {
    let joins = clip.from_ == before.role && (leads(before) || (leads(clip) && clip.stride > 0.0));
    return select(FADES_IN, JOINS_IN, joins);
}

struct Change {
    clip: u32,
    phase: f32,
}

// What somebody does next who is in a clip and shall come to an act.
fn next(now: u32, phase: f32, act: u32, pace: Pace) -> Change {
    let stay = Change(now, phase);
    if (now == act) { return stay; }
    let a = clip_of(now);
    let b = clip_of(act);
    let way = way_of(a.role, b.role);
    if (leads(a)) {
        let there = a.role == b.role;
        // Others may follow; who is to walk does not finish sitting down.
        let on_the_way = there || (b.stride <= 0.0 && way_of(a.from_, b.role) == now);
        if (!on_the_way) { return begun(act, a, phase, pace); }
        let left = (1.0 - phase) * select(a.seconds, a.stride / max(pace.speed, 1e-3), a.stride > 0.0 && !pace.stands);
        if (left > JOINS_IN) { return stay; }
        if (there) { return begun(act, a, phase, pace); }
    }
    if (way == NOBODY) { return begun(act, a, phase, pace); }
    let t = clip_of(way);
    if (b.stride > 0.0) {
        // From standing into a gait; from one gait to another and out of what is done on the spot there is no time to lose.
        if (t.stride > 0.0 && t.role == b.role) { return Change(way, 0.0); }
        return begun(act, a, phase, pace);
    }
    if (t.stride <= 0.0) { return Change(way, 0.0); }
    // A stop begins where the gait does, and has the foot in front where it is a little later.
    let at = phase * a.stride / t.stride;
    if (at < 1.0) { return Change(way, at); }
    if (!pace.stands) { return stay; }
    // It stands at another moment of its steps: what comes after the stop.
    let after = way_of(t.role, b.role);
    if (after == NOBODY || t.role == b.role) { return begun(act, a, phase, pace); }
    return Change(after, 0.0);
}

// An act that begins while another clip is left at a phase.
fn begun(act: u32, a: Clip, phase: f32, pace: Pace) -> Change {
    let b = clip_of(act);
    let joins = leads(a) && a.role == b.role;
    if (a.stride > 0.0 && b.stride > 0.0) {
        // A start ends where the gait begins; gaits have the same foot down at the same phase.
        return Change(act, select(fract(1.0 - (1.0 - phase) * a.stride / b.stride), phase, a.looped));
    }
    if (!b.looped) { return Change(act, 0.0); }
    if (joins && a.stride <= 0.0) { return Change(act, fract(1.0 - (1.0 - phase) * a.seconds / loop_seconds(b, pace))); }
    return Change(act, select(pace.phase, 0.0, joins));
}

struct Key {
    first: u32,
    share: f32,
}

fn key_of(clip: Clip, phase: f32) -> Key {
    let at = clamp(phase, 0.0, 1.0) * f32(clip.keys - 1u);
    let key = min(u32(at), max(clip.keys, 2u) - 2u);
    return Key(clip.first + key * shape.bones, at - f32(key));
}

@compute @workgroup_size(256)
fn animate(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let i = (group.y * groups.x + group.x) * 256u + lane;
    if (i >= space.agents) { return; }
    let who = characters[i];
    if (who.size > 0.0 && (who.colour >> 24u) != shape.figure) { return; }
    if (who.size <= 0.0 || who.id >= arrayLength(&living)) {
        poses[i] = vec4<u32>(0u);
        return;
    }
    let it = variation_of(who.id);
    var me = living[who.id];
    let way = distance(who.place, me.place);
    // Clips are those of a figure: who comes to a group with another one begins anew.
    let same = ((me.clips >> 26u) & 7u) == shape.figure;
    let known = (me.clips >> 31u) == 1u && same && way <= FASTEST * space.elapsed + PUSHED;
    me.place = who.place;

    let by_states = lives(journey[i].y >> 16u);
    let stays = by_states && ((journey[i].z >> 16u) & 0xffu) == STAYING;
    let speed = length(motion[i].zw);
    let gait_before = select(select(WALK, STAND, stays), (me.clips >> 24u) & 3u, known);
    let gait = gait_of(speed, space.tall * who.size * it.size, gait_before, stays);
    let acts = GAITS * select(0u, 1u + (journey[i].z & 0xffffu), by_states) + gait;
    let act = table[shape.acts_at + acts][it.choice & 3u];
    let metre = shape.scale * who.size * it.size * it.girth;
    let left = select(0.0, f32(journey[i].w) * space.step - space.time, stays);
    let pace = Pace(way / metre, speed / metre, speed < WALKS.x, it.phase, left);

    var now = me.clips & 0xfffu;
    var before = (me.clips >> 12u) & 0xfffu;
    if (!known || space.elapsed > UNSEEN) {
        // Which way it was shown to face is as old.
        me.seen &= 0xffffu;
        let clip = clip_of(act);
        if (known && now == act) { me.phase = advanced(clip, me.phase, pace); } else { me.phase = usual(clip, pace); }
        now = act;
        before = act;
        me.phase_before = me.phase;
        me.lasted = LONG_AGO;
    } else {
        me.phase = advanced(clip_of(now), me.phase, pace);
        me.phase_before = advanced(clip_of(before), me.phase_before, Pace(pace.walked, pace.speed, pace.stands, pace.phase, 0.0));
        me.lasted = min(me.lasted + space.elapsed, LONG_AGO);
        let fade = fade_of(clip_of(now), clip_of(before));
        if (me.lasted >= fade) {
            let to = next(now, me.phase, act, pace);
            if (to.clip != now) {
                before = now;
                me.phase_before = me.phase;
                now = to.clip;
                me.phase = to.phase;
                me.lasted = 0.0;
            }
        } else if (act == before && !leads(clip_of(now))) {
            // Back to what it has hardly left: the fade turns round where it is. All other changes wait until a fade is over.
            before = now;
            now = act;
            let phase = me.phase;
            me.phase = me.phase_before;
            me.phase_before = phase;
            me.lasted = fade - me.lasted;
        }
    }
    me.clips = now | (before << 12u) | (gait << 24u) | (shape.figure << 26u) | 0x80000000u;
    living[who.id] = me;

    let clip = clip_of(now);
    let clip_before = clip_of(before);
    let a = key_of(clip, me.phase);
    let b = key_of(clip_before, me.phase_before);
    let fade = clamp(1.0 - me.lasted / fade_of(clip, clip_before), 0.0, 1.0);
    poses[i] = vec4<u32>(a.first, b.first, pack2x16unorm(vec2<f32>(a.share, b.share)), bitcast<u32>(smoothstep(0.0, 1.0, fade)));
}
