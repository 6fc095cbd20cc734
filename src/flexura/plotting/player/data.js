// What the page knows: times, tracks of places, signals.

const unpack = (text) => new Float32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);

// The moment between two frames at which a time falls.
function momentAt(times, time) {
  let low = 0, high = times.length - 1;
  if (high < 1 || time <= times[0]) return { frame: 0, part: 0 };
  if (time >= times[high]) return { frame: high - 1, part: 1 };
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle; else high = middle;
  }
  return { frame: low, part: (time - times[low]) / (times[high] - times[low]) };
}

// The slope, at x, of the parabola through three values, as the weight of each.
const slope = ([a, b, c], x) => [(2 * x - b - c) / ((a - b) * (a - c)), (2 * x - a - c) / ((b - a) * (b - c)), (2 * x - a - b) / ((c - a) * (c - b))];

// How much each of the four frames about a moment counts: cubic, with the slopes of parabolas through neighbours.
function blendAt(times, time) {
  const { frame, part: s } = momentAt(times, time), last = times.length - 1;
  const frames = [frame - 1, frame, frame + 1, frame + 2], t = frames.map((i) => times[i]), h = t[2] - t[1];
  if (last < 2) return { frames, weights: [0, 1 - s, last && s, 0], frame, part: s };
  const weights = [0, (1 - s) ** 2 * (1 + 2 * s), s * s * (3 - 2 * s), 0], before = frame > 0 ? 0 : 1, after = frame + 2 > last ? 0 : 1;
  slope(t.slice(before, before + 3), t[1]).forEach((weight, k) => (weights[before + k] += h * s * (1 - s) ** 2 * weight));
  slope(t.slice(after, after + 3), t[2]).forEach((weight, k) => (weights[after + k] += h * s * s * (s - 1) * weight));
  return { frames, weights, frame, part: s };
}

// Vertices over time, in two or three coordinates; one frame only if they are still.
class Track {
  constructor({ shape, numbers }) {
    [this.frames, this.vertices, this.size] = shape;
    this.numbers = unpack(numbers);
  }

  place({ frames, weights }, vertex) {
    const { numbers, vertices, size } = this, place = [];
    for (let i = 0; i < size; i++) {
      if (this.frames < 2) place.push(numbers[vertex * size + i]);
      else place.push(weights.reduce((sum, weight, k) => weight ? sum + weight * numbers[(frames[k] * vertices + vertex) * size + i] : sum, 0));
    }
    return place;
  }

  // The place at the nearest frame, without blending: contacts that are open have no place.
  nearest({ frame, part }, vertex) {
    const { numbers, vertices, size } = this, row = this.frames < 2 ? 0 : frame + Math.round(part);
    return Array.from(numbers.slice((row * vertices + vertex) * size, (row * vertices + vertex + 1) * size));
  }

  // Straight between frames: forces may jump.
  linear({ frame, part }, vertex) {
    const { numbers, vertices, size } = this, at = (row) => (row * vertices + vertex) * size;
    const here = this.frames < 2 ? at(0) : at(frame), next = this.frames < 2 ? here : at(frame + 1);
    return Array.from({ length: size }, (_, i) => part ? numbers[here + i] + part * (numbers[next + i] - numbers[here + i]) : numbers[here + i]);
  }

  // The places of a vertex at times close enough to draw a smooth curve through.
  path(times, vertex = 0, finer = 4) {
    const path = [];
    times.forEach((time, i) => {
      const step = i + 1 < times.length ? (times[i + 1] - time) / finer : 0;
      for (let k = 0; k < (step ? finer : 1); k++) path.push(this.place(blendAt(times, time + k * step), vertex));
    });
    return path;
  }
}

class Signal {
  constructor({ name, unit, t, values }) {
    this.name = name.replace(/''$/, "″").replace(/'$/, "′");
    this.unit = unit.replace(/\^2/g, "²").replace(/\^3/g, "³");
    this.t = unpack(t);
    this.values = unpack(values);
    this.low = this.values.reduce((a, b) => Math.min(a, b), Infinity);
    this.high = this.values.reduce((a, b) => Math.max(a, b), -Infinity);
  }

  at(time) {
    const { frame, part } = momentAt(this.t, time), here = this.values[frame];
    return part ? here + part * (this.values[frame + 1] - here) : here;
  }
}

function readData() {
  const data = JSON.parse(document.getElementById("data").textContent);
  data.lines = data.lines.map(({ name, width, runs }) => ({ name, width, runs: runs.map((run) => new Track(run)) }));
  data.points = data.points.map((point) => ({ name: point.name, weld: point.weld, track: new Track(point) }));
  data.forces = data.forces.map(({ name, kind, place, force }) => ({ name, kind, place: new Track(place), force: new Track(force) }));
  data.touching = data.touching.map((places) => new Track(places));
  for (const point of data.points) point.path = point.track.path(data.t);
  if (data.space) data.space.floor = new Track(data.space.floor);
  data.signals = data.signals.map((signal) => new Signal(signal));
  return data;
}

// A number in as few characters as say it.
const brief = (value, digits = 4) => {
  const text = Math.abs(value) >= 1e5 || (value && Math.abs(value) < 1e-3) ? value.toExponential(digits - 2) : String(Number(value.toPrecision(digits)));
  return text.replace("-", "−").replace("e+", "e");
};

// The largest of 1, 2, 5, 10, … not above a number.
const round125 = (value) => {
  const decade = 10 ** Math.floor(Math.log10(value)), lead = value / decade;
  return decade * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
};
