// Arrows of forces, all to one scale, with a legend: an arrow of a round force, and the names of the colours.

const KINDS = { reaction: "reactions", load: "loads", contact: "contact forces" };

class ForceArrows {
  constructor(stage) {
    Object.assign(this, { stage, arrows: stage.data.forces, metres: stage.data.forceScale });
    this.kinds = Object.keys(KINDS).filter((kind) => this.arrows.some((arrow) => arrow.kind === kind));
  }

  draw(moment) {
    const { camera, theme } = this.stage;
    for (const { kind, place, force } of this.arrows) {
      const from = place.linear(moment, 0), push = force.linear(moment, 0), to = from.map((value, i) => value + this.metres * push[i]);
      if (to.every(Number.isFinite)) this.arrow(camera.project(from), camera.project(to), theme[kind]);
    }
    if (this.arrows.length) this.legend();
  }

  // A shaft with a head; an arrow shorter than its head is all head, and one of no length is left out.
  arrow([x0, y0], [x1, y1], colour) {
    const { pen, theme } = this.stage, length = Math.hypot(x1 - x0, y1 - y0), head = Math.min(11, length);
    if (length < 1.5) return;
    const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length], [bx, by] = [x1 - head * ux, y1 - head * uy], wide = 0.42 * head;
    for (const [ink, width] of [[theme.paper, 5], [colour, 2.4]]) if (length > head) this.stage.stroke([[x0, y0], [bx, by]], ink, width);
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(bx - wide * uy, by + wide * ux);
    pen.lineTo(bx + wide * uy, by - wide * ux);
    pen.closePath();
    pen.strokeStyle = theme.paper;
    pen.lineWidth = 1.6;
    pen.stroke();
    pen.fillStyle = colour;
    pen.fill();
  }

  legend() {
    const { camera, theme, pen, data } = this.stage, each = this.metres * camera.scale, force = round125(90 / each);
    const right = camera.width - (data.space ? 110 : 18), y = camera.height - 20;
    pen.font = `12px ${theme.font}`;
    const text = `${brief(force, 3)} N`, left = right - pen.measureText(text).width;
    this.stage.write(text, right, y, theme.ink, 400, "right");
    this.arrow([left - 10 - force * each, y], [left - 10, y], theme.ink);
    this.kinds.forEach((kind, i) => this.stage.write(KINDS[kind], right, y - 18 * (i + 1), theme[kind], 500, "right"));
  }
}
