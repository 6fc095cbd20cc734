// Cameras: projections of places onto the page. The cameras of the plane and of space have the same methods:
// resize, fit, reset, project, drag, pan, zoom.

// Motions of the view, which the cameras of the plane and of space share.
const viewMotions = {
  resize(width, height) {
    const { width: before, height: above } = this;
    [this.width, this.height] = [width, height];
    if (this.fitted) this.fit(); else this.pan((width - before) / 2, (height - above) / 2);
  },

  pan(right, down) {
    this.x += right;
    this.y += down;
    this.fitted = false;
  },

  // Larger or smaller about a pixel that stays where it is.
  zoom(factor, px, py) {
    this.scale *= factor;
    this.x = px + factor * (this.x - px);
    this.y = py + factor * (this.y - py);
    this.fitted = false;
  },
};

class PlaneCamera {
  constructor(low, high) {
    this.low = low;
    this.high = high;
    this.fitted = true;
  }

  // Everything in view, with room for names.
  fit() {
    const room = 56, [x0, y0] = this.low, [x1, y1] = this.high, across = Math.max(x1 - x0, y1 - y0) || 1;
    const fill = (pixels, reach) => Math.max(pixels - 2 * room, 40) / Math.max(reach, 0.05 * across);
    this.scale = Math.min(fill(this.width, x1 - x0), fill(this.height, y1 - y0));
    this.x = this.width / 2 - (this.scale * (x0 + x1)) / 2;
    this.y = this.height / 2 + (this.scale * (y0 + y1)) / 2;
    this.fitted = true;
  }

  reset() {
    this.fit();
  }

  project([x, y]) {
    return [this.x + this.scale * x, this.y - this.scale * y];
  }

  drag(right, down) {
    this.pan(right, down);
  }
}
Object.assign(PlaneCamera.prototype, viewMotions);
