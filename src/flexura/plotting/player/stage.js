// The mechanism on its canvas: grid, paths, supports, links, nodes, names.

// A canvas as sharp as the screen; returns its size in page pixels.
function sharpen(canvas) {
  const { clientWidth: width, clientHeight: height } = canvas, density = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  canvas.getContext("2d").setTransform(density, 0, 0, density, 0, 0);
  return { width, height };
}

// The colours of the page; on dark paper the hues are lifted so that they keep their contrast.
function readTheme(palette) {
  const css = getComputedStyle(document.documentElement), dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const lift = (hex) => "#" + [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16))
    .map((part) => Math.round(part + (dark ? 0.3 * (255 - part) : 0)).toString(16).padStart(2, "0")).join("");
  const theme = { font: css.fontFamily, hues: palette.map(lift) };
  for (const name of ["paper", "ink", "muted", "faint", "grid", "accent", "contact", "reaction", "load"]) theme[name] = css.getPropertyValue(`--${name}`).trim();
  theme.hue = (number) => theme.hues[number % theme.hues.length];
  return theme;
}

// A polyline of pixels.
const strokeLine = (pen, pixels, colour, width) => {
  pen.beginPath();
  for (const [x, y] of pixels) pen.lineTo(x, y);
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.stroke();
};

class Stage {
  constructor(canvas, data, camera) {
    Object.assign(this, { canvas, data, camera, pen: canvas.getContext("2d"), labels: joinNames(data) });
    this.forces = new ForceArrows(this);
    this.scenery = data.space ? new SpaceScenery(this) : new PlaneScenery(this);
  }

  resize() {
    const { width, height } = sharpen(this.canvas);
    this.camera.resize(width, height);
  }

  draw(time, { names, trace, forces, follow, theme }) {
    const { pen, camera, data } = this, moment = blendAt(data.t, time);
    this.theme = theme;
    if (follow) this.follow(moment);
    pen.clearRect(0, 0, camera.width, camera.height);
    pen.lineCap = pen.lineJoin = "round";
    this.scenery.backdrop();
    if (trace) this.paths(moment);
    for (const ends of data.rails) this.rail(ends.map((place) => camera.project(place)));
    for (const { name, hanging } of data.supports) this.support(this.point(name, moment), hanging);
    this.scenery.mechanism(moment);
    this.contacts(moment);
    if (forces) this.forces.draw(moment);
    if (names) this.names(moment);
    this.scenery.scale();
  }

  // The middle of the points that move, and their largest extent, at a moment.
  extent(moment) {
    const { low, high, points } = this.data, least = 1e-3 * Math.max(...high.map((value, i) => value - low[i]));
    this.movers ??= points.filter(({ path }) => path.some((place) => place.some((value, i) => Math.abs(value - path[0][i]) > least)));
    const places = this.movers.map(({ track }) => track.place(moment, 0));
    if (!places.length) return null;
    const edges = (pick) => places[0].map((_, i) => pick(...places.map((place) => place[i]))), [from, to] = [edges(Math.min), edges(Math.max)];
    return { middle: from.map((value, i) => (value + to[i]) / 2), size: Math.max(...to.map((value, i) => value - from[i])) };
  }

  // The view goes along: the middle of what moves stays in the middle.
  follow(moment) {
    const { camera } = this, [x, y] = camera.project(this.extent(moment).middle);
    camera.pan(camera.width / 2 - x, camera.height / 2 - y);
  }

  point(name, moment) {
    const { track } = this.data.points.find((point) => point.name === name);
    return this.camera.project(track.place(moment, 0));
  }

  // The pixels of a polyline at a moment.
  polyline(run, moment) {
    return Array.from({ length: run.vertices }, (_, vertex) => this.camera.project(run.place(moment, vertex)));
  }

  stroke(pixels, colour, width) {
    strokeLine(this.pen, pixels, colour, width);
  }

  // The whole path pale, the part behind us strong.
  paths(moment) {
    const chosen = this.data.points.filter(({ name }) => !this.data.trace.length || this.data.trace.includes(name));
    chosen.forEach(({ track, path }, number) => {
      const pixels = path.map((place) => this.camera.project(place)), finer = (path.length - 1) / (this.data.t.length - 1 || 1);
      this.pen.globalAlpha = 0.3;
      this.stroke(pixels, this.theme.hue(number), 1.2);
      this.pen.globalAlpha = 0.9;
      const past = [...pixels.slice(0, Math.floor(finer * (moment.frame + moment.part)) + 1), this.camera.project(track.place(moment, 0))];
      this.stroke(past, this.theme.hue(number), 1.6);
      this.pen.globalAlpha = 1;
    });
  }

  support([x, y], hanging) {
    const { pen, theme } = this, up = hanging ? -1 : 1;
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x - 9, y + 14 * up);
    pen.lineTo(x + 9, y + 14 * up);
    pen.closePath();
    pen.fillStyle = theme.grid;
    pen.fill();
    pen.strokeStyle = theme.muted;
    pen.lineWidth = 1.2;
    pen.stroke();
    this.stroke([[x - 15, y + 14 * up], [x + 15, y + 14 * up]], theme.muted, 1.2);
    for (let i = -10; i <= 13; i += 5.75) this.stroke([[x + i, y + 14 * up], [x + i - 4.5, y + 19 * up]], theme.muted, 1.2);
  }

  // The guide of a sliding node: in the plane beside it and hatched, in space through it.
  rail([[x0, y0], [x1, y1]]) {
    const { theme } = this, length = Math.hypot(x1 - x0, y1 - y0) || 1, level = Math.abs(x1 - x0) > Math.abs(y1 - y0);
    const [dx, dy] = this.data.space ? [0, 0] : level ? [0, 11] : [-11, 0];
    this.stroke([[x0 + dx, y0 + dy], [x1 + dx, y1 + dy]], theme.muted, 1.2);
    if (this.data.space) return;
    for (let along = 6; along < length; along += 12) {
      const x = x0 + dx + ((x1 - x0) * along) / length, y = y0 + dy + ((y1 - y0) * along) / length;
      this.stroke([[x, y], level ? [x - 4.5, y + 5] : [x - 5, y + 4.5]], theme.muted, 1);
    }
  }

  // A dot at every closed contact.
  contacts(moment) {
    const { pen, camera, theme } = this;
    for (const track of this.data.touching) for (let vertex = 0; vertex < track.vertices; vertex++) {
      const place = track.nearest(moment, vertex);
      if (!place.every(Number.isFinite)) continue;
      const [x, y] = camera.project(place);
      pen.beginPath();
      pen.arc(x, y, 4, 0, 2 * Math.PI);
      pen.fillStyle = theme.contact;
      pen.fill();
      pen.strokeStyle = theme.paper;
      pen.lineWidth = 1;
      pen.stroke();
    }
  }

  names(moment) {
    this.data.lines.forEach(({ name, runs }, number) => {
      if (runs.length && runs[0].vertices > 1) this.nameLink(name, runs[0], moment, this.theme.hue(number));
    });
    for (const label of this.labels) this.namePoint(label, moment);
  }

  // Away from what is attached to the point, upwards where that pulls nowhere; a fixed one beside its ground.
  namePoint({ text, track, blocks, ends, ground }, moment) {
    const place = (run, vertex) => this.camera.project(run.place(moment, vertex)), [x, y] = place(track, 0);
    let [right, down] = [0, -0.3];
    for (const { run, vertex, next } of ends) {
      const [from, to] = [place(run, vertex), place(run, next)], length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
      right -= (to[0] - from[0]) / length;
      down -= (to[1] - from[1]) / length;
    }
    const size = Math.hypot(right, down) || 1, parts = [{ name: text, colour: this.theme.ink, weight: 600 }];
    for (const { name, number } of blocks) parts.push({ name, colour: this.theme.hue(number), weight: 500 });
    const widths = parts.map(({ name, weight }) => this.measure(name, weight) + 7), width = widths.reduce((a, b) => a + b) - 7;
    let left = ground ? x - 20 - width : x + (right / size) * (13 + width / 2) - width / 2;
    const level = ground ? y + 12 * ground : y + (down / size) * 19;
    parts.forEach(({ name, colour, weight }, i) => {
      this.write(name, left, level, colour, weight, "left");
      left += widths[i];
    });
  }

  // Beside the middle, always on the same side of the link, so that the name goes round with it.
  nameLink(name, run, moment, colour) {
    const pixels = this.polyline(run, moment), middle = (pixels.length - 1) / 2;
    const before = pixels[Math.floor(middle)], after = pixels[Math.floor(middle) === middle ? middle + 1 : Math.ceil(middle)];
    const along = [after[0] - before[0], after[1] - before[1]], length = Math.hypot(...along) || 1;
    const [nx, ny] = [along[1] / length, -along[0] / length], half = this.measure(name, 500) / 2;
    const x = Number.isInteger(middle) ? before[0] : (before[0] + after[0]) / 2, y = Number.isInteger(middle) ? before[1] : (before[1] + after[1]) / 2;
    this.write(name, x + nx * (9 + half), y + ny * 16, colour, 500, "center");
  }

  measure(text, weight) {
    this.pen.font = `${weight} 13px ${this.theme.font}`;
    return this.pen.measureText(text).width;
  }

  write(text, x, y, colour, weight, align) {
    const { pen, theme } = this;
    pen.font = `${weight} 13px ${theme.font}`;
    pen.textAlign = align;
    pen.textBaseline = "middle";
    pen.strokeStyle = theme.paper;
    pen.lineWidth = 4;
    pen.strokeText(text, x, y);
    pen.fillStyle = colour;
    pen.fillText(text, x, y);
  }

}

// What the stage shows of the plane: a grid, links and nodes as they come, a bar to measure by.
class PlaneScenery {
  constructor(stage) {
    this.stage = stage;
  }

  backdrop() {
    const { stage } = this, { camera, theme } = stage, step = camera.scale * round125(120 / camera.scale);
    for (let x = camera.x % step; x < camera.width; x += step) stage.stroke([[x, 0], [x, camera.height]], theme.grid, 1);
    for (let y = camera.y % step; y < camera.height; y += step) stage.stroke([[0, y], [camera.width, y]], theme.grid, 1);
  }

  mechanism(moment) {
    const { data, camera, theme } = this.stage;
    data.lines.forEach(({ runs, width }, number) => runs.forEach((run) => this.link(run, moment, theme.hue(number), 5 * width)));
    for (const { track, weld } of data.points) this.node(camera.project(track.place(moment, 0)), weld);
  }

  link(run, moment, colour, width) {
    const { stage } = this, pixels = stage.polyline(run, moment);
    if (!isBlock(pixels)) return stage.stroke(pixels, colour, width);
    stage.pen.fillStyle = colour;
    stage.pen.fillRect(pixels[0][0] - 8, pixels[0][1] - 8, 16, 16);
  }

  // A pin is a ring, a weld is full.
  node([x, y], weld) {
    const { pen, theme } = this.stage;
    pen.beginPath();
    pen.arc(x, y, 3.8, 0, 2 * Math.PI);
    pen.fillStyle = weld ? theme.ink : theme.paper;
    pen.fill();
    pen.strokeStyle = theme.ink;
    pen.lineWidth = 1.5;
    pen.stroke();
  }

  scale() {
    const { stage } = this, { camera, theme, pen } = stage, length = round125(150 / camera.scale), y = camera.height - 18;
    const right = 18 + length * camera.scale;
    stage.stroke([[18, y - 4], [18, y], [right, y], [right, y - 4]], theme.muted, 1.2);
    pen.font = `11px ${theme.font}`;
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.fillStyle = theme.muted;
    pen.fillText(`${brief(length, 3)} m`, right + 8, y - 1);
  }
}

// A line without extent is shown as a small block: a mass in a point.
const isBlock = (pixels) => pixels.every(([x, y]) => Math.hypot(x - pixels[0][0], y - pixels[0][1]) < 1e-3);

// Points that stay together share one name; each knows its blocks, the ends of lines that meet in it, the side of its ground.
function joinNames({ points, lines, supports, low, high }) {
  const least = 1e-3 * Math.max(...high.map((value, i) => value - low[i])), groups = [], start = { frames: [0, 0], weights: [0, 1] };
  const near = (a, b) => a.every((value, i) => Math.abs(value - b[i]) <= least);
  for (const { name, track } of points) {
    const support = supports.find((other) => other.name === name), group = groups.find((other) => near(track.numbers, other.track.numbers));
    if (group) group.text += `, ${name}`;
    else groups.push({ text: name, track, ground: support ? (support.hanging ? -1 : 1) : 0, ends: [], blocks: [] });
  }
  lines.forEach(({ name, runs: [run] }, number) => {
    if (!run || run.vertices > 1) return;
    const group = groups.find(({ track }) => near(track.place(start, 0), run.place(start, 0)));
    if (group) group.blocks.push({ name, number });
    else groups.push({ text: "", track: run, ground: 0, ends: [], blocks: [{ name, number }] });
  });
  for (const run of lines.flatMap(({ runs }) => runs).filter(({ vertices }) => vertices > 1))
    for (const [vertex, next] of [[0, 1], [run.vertices - 1, run.vertices - 2]])
      for (const { track, ends } of groups) if (near(track.place(start, 0), run.place(start, vertex))) ends.push({ run, vertex, next });
  return groups;
}
