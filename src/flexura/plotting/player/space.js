// Space: a camera that turns about the middle of the scene, and a mechanism drawn from back to front over a floor.

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const blend = (a, b, part) => a.map((value, i) => value + part * (b[i] - value));

// Camera with the methods of that of the plane; places also have a depth, larger towards the viewer, and a magnification.
class SpaceCamera {
  constructor({ low, high, space }) {
    const { upright, view, floor } = space;
    Object.assign(this, { upright, view, pivot: blend(low, high, 0.5), fitted: true, perspective: false });
    this.corners = Array.from({ length: 8 }, (_, k) => [0, 1, 2].map((i) => ((k >> i) & 1 ? high : low)[i]));
    this.held = [...this.corners, ...segmentsOf(floor).flat()];
    this.size = Math.max(...high.map((value, i) => value - low[i])) || 1;
    this.distance = 3 * Math.max(...this.held.map((place) => Math.hypot(...place.map((value, i) => value - this.pivot[i]))));
    this.aim(...view);
  }

  // The directions right, upwards and towards the viewer.
  aim(azimuth, elevation) {
    const [first, second, above] = this.upright, [c, s, ce, se] = [Math.cos(azimuth), Math.sin(azimuth), Math.cos(elevation), Math.sin(elevation)];
    const outward = first.map((value, i) => c * value + s * second[i]);
    this.axes = [second.map((value, i) => c * value - s * first[i]), above.map((value, i) => ce * value - se * outward[i]),
      outward.map((value, i) => ce * value + se * above[i])];
    Object.assign(this, { azimuth, elevation });
    const depths = this.corners.map((place) => this.turned(place)[2]);
    this.nearest = Math.max(...depths);
    this.farthest = Math.min(...depths, this.nearest - 0.5 * this.size);
  }

  turned(place) {
    const { pivot, axes } = this, away = [place[0] - pivot[0], place[1] - pivot[1], place[2] - pivot[2]];
    return [dot(axes[0], away), dot(axes[1], away), dot(axes[2], away)];
  }

  // Everything in view from where we are, with room for names.
  fit() {
    [this.scale, this.x, this.y] = [1, 0, 0];
    const room = 48, seen = this.held.map((place) => this.project(place)), [xs, ys] = [0, 1].map((i) => seen.map((pixel) => pixel[i]));
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    this.scale = Math.min(Math.max(this.width - 2 * room, 40) / (right - left), Math.max(this.height - 2 * room, 40) / (bottom - top));
    this.x = this.width / 2 - (this.scale * (left + right)) / 2;
    this.y = this.height / 2 - (this.scale * (top + bottom)) / 2;
    this.fitted = true;
  }

  // Everything in view from where we began.
  reset() {
    this.aim(...this.view);
    this.fit();
  }

  project(place) {
    const [right, above, depth] = this.turned(place), larger = this.perspective ? this.distance / (this.distance - depth) : 1;
    return [this.x + this.scale * larger * right, this.y - this.scale * larger * above, depth, larger];
  }

  // How near a depth is: zero is farthest, one nearest.
  nearness(depth) {
    return clamp((depth - this.farthest) / (this.nearest - this.farthest), 0, 1);
  }

  // The scene turns with the hand, half a turn for 400 pixels.
  drag(right, down) {
    const pace = Math.PI / 400;
    this.aim(this.azimuth - pace * right, clamp(this.elevation + pace * down, -Math.PI / 2, Math.PI / 2));
  }
}
Object.assign(SpaceCamera.prototype, viewMotions);

// The two ends of every line of the floor.
const segmentsOf = (floor) => Array.from({ length: floor.frames }, (_, line) =>
  [0, 1].map((end) => floor.place({ frames: [line], weights: [1] }, end)));

// A colour thinned with another.
const mixed = (colour, other, part) => "#" + [1, 3, 5].map((i) => [colour, other].map((hex) => parseInt(hex.slice(i, i + 2), 16)))
  .map(([a, b]) => Math.round(part * a + (1 - part) * b).toString(16).padStart(2, "0")).join("");

// What the stage shows of space; the plane's counterpart is PlaneScenery.
class SpaceScenery {
  constructor(stage) {
    this.stage = stage;
    this.floor = segmentsOf(stage.data.space.floor);
    this.longest = stage.camera.size / 24;
  }

  backdrop() {
    const { camera, theme } = this.stage;
    for (const line of this.floor) this.stage.stroke(line.map((place) => camera.project(place)), theme.grid, 1);
  }

  // Pieces of links, masses and nodes, sorted by depth; what ends in a node or a mass is less than half a piece nearer.
  mechanism(moment) {
    const { data, camera, theme } = this.stage, items = [], half = this.longest / 2;
    const add = (act, pixels, lift) => items.push({ act, pixels, depth: pixels.reduce((sum, pixel) => sum + pixel[2], 0) / pixels.length + lift });
    const ways = data.lines.map(({ runs }) => runs.map((run) => Array.from({ length: run.vertices }, (_, vertex) => run.place(moment, vertex))));
    for (const way of ways.flat()) this.shadow(way);
    ways.forEach((lines, number) => lines.forEach((way) => {
      const link = (pixels, near) => this.link(pixels, near, theme.hue(number), data.lines[number].width), ball = (pixels, near) => this.ball(pixels[0], near, theme.hue(number));
      if (way.every((place) => Math.hypot(...place.map((value, i) => value - way[0][i])) <= 1e-6 * camera.size)) add(ball, [camera.project(way[0])], 1.02 * half);
      else for (const piece of this.pieces(way)) add(link, piece.map((place) => camera.project(place)), 0);
    }));
    for (const { track, weld } of data.points) add((pixels, near) => this.node(pixels[0], near, weld), [camera.project(track.place(moment, 0))], 1.04 * half);
    items.sort((a, b) => a.depth - b.depth);
    for (const { act, pixels, depth } of items) act(pixels, camera.nearness(depth));
  }

  // A line cut at its vertices, and between them where they are far apart.
  pieces(way) {
    return way.slice(1).flatMap((end, i) => {
      const count = Math.max(1, Math.ceil(Math.hypot(...end.map((value, k) => value - way[i][k])) / this.longest));
      return Array.from({ length: count }, (_, k) => [blend(way[i], end, k / count), blend(way[i], end, (k + 1) / count)]);
    });
  }

  // What is far is thinner and paler; a rim of paper shows which of two crossing links is in front.
  link(pixels, near, colour, share) {
    const { stage } = this, { pen, theme } = stage, width = 5 * share * pixels[0][3] * (0.7 + 0.3 * near);
    pen.lineCap = "butt";
    stage.stroke(pixels, theme.paper, width + 3);
    pen.lineCap = "round";
    stage.stroke(pixels, mixed(colour, theme.paper, 0.62 + 0.38 * near), width);
  }

  ball([x, y, , larger], near, colour) {
    this.disc(x, y, 8 * larger * (0.7 + 0.3 * near), mixed(colour, this.stage.theme.paper, 0.62 + 0.38 * near));
  }

  node([x, y, , larger], near, weld) {
    const { ink, paper } = this.stage.theme, radius = larger * (0.7 + 0.3 * near);
    this.disc(x, y, 4.6 * radius, mixed(ink, paper, 0.62 + 0.38 * near));
    if (!weld) this.disc(x, y, 3 * radius, paper);
  }

  disc(x, y, radius, colour) {
    const { pen } = this.stage;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fillStyle = colour;
    pen.fill();
  }

  // Fallen to the floor.
  shadow(way) {
    const { camera, theme, pen } = this.stage, up = camera.upright[2], level = dot(this.floor[0][0], up);
    const pixels = way.map((place) => camera.project(place.map((value, i) => value - (dot(place, up) - level) * up[i])));
    pen.globalAlpha = 0.5;
    this.stage.stroke(pixels, theme.faint, 3);
    pen.globalAlpha = 1;
  }

  // The directions of x, y and z, and the size of the squares of the floor.
  scale() {
    const { camera, theme, data, pen } = this.stage, [right, above, towards] = camera.axes, foot = [camera.width - 52, camera.height - 48];
    for (const i of [0, 1, 2].sort((a, b) => towards[a] - towards[b])) {
      const colour = mixed(theme.ink, theme.paper, 0.75 + 0.25 * towards[i]), length = Math.hypot(right[i], above[i]);
      const out = (reach) => [foot[0] + reach * right[i], foot[1] - reach * above[i]];
      this.stage.stroke([foot, out(28)], colour, 1.6);
      if (length > 0.2) this.stage.write("xyz"[i], ...out(28 + 9 / length), colour, 500, "center");
    }
    pen.font = `11px ${theme.font}`;
    pen.textAlign = "left";
    pen.fillStyle = theme.muted;
    pen.fillText(`grid ${brief(data.space.step, 3)} m`, 18, camera.height - 18);
  }
}
