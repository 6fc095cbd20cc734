// Signals over time, one row each, with a cursor at the present time.

class Strip {
  constructor(canvas, data) {
    Object.assign(this, { canvas, pen: canvas.getContext("2d") });
    this.start = data.t[0];
    this.duration = data.t[data.t.length - 1] - data.t[0];
    this.inset = { left: 64, right: 84 };
    this.show(data.signals);
  }

  // Other signals from now on.
  show(signals) {
    this.signals = signals;
    this.canvas.hidden = !signals.length || !this.duration;
    this.canvas.style.display = "";
  }

  resize() {
    if (this.canvas.hidden) return void (this.canvas.style.display = "none");
    const height = Math.min(84 * this.signals.length, Math.max(0.42 * window.innerHeight, 70));
    this.canvas.style.height = `${height}px`;
    Object.assign(this, sharpen(this.canvas));
  }

  // The time under a pixel.
  timeAt(x) {
    const part = (x - this.inset.left) / (this.width - this.inset.left - this.inset.right);
    return this.start + this.duration * Math.min(Math.max(part, 0), 1);
  }

  draw(time, { theme }) {
    if (this.canvas.hidden) return;
    this.theme = theme;
    this.pen.clearRect(0, 0, this.width, this.height);
    const row = this.height / this.signals.length, x = this.across(time - this.start);
    this.signals.forEach((signal, number) => this.curve(signal, number * row + 20, row - 28, theme.hue(number), theme));
    this.line([[x, 0], [x, this.height]], theme.muted, 1);
    this.signals.forEach((signal, number) => this.value(signal, time - this.start, number * row + 20, row - 28, theme.hue(number), theme));
  }

  across(elapsed) {
    return this.inset.left + (elapsed / this.duration) * (this.width - this.inset.left - this.inset.right);
  }

  // A constant signal runs through the middle of its row.
  down(signal, value, top, height) {
    const reach = signal.high - signal.low;
    return top + height * (reach ? (signal.high - value) / reach : 0.5);
  }

  curve(signal, top, height, colour, theme) {
    const { pen } = this, end = this.width - this.inset.right;
    for (const value of new Set([signal.low, signal.high])) {
      const y = this.down(signal, value, top, height);
      this.line([[this.inset.left, y], [end, y]], theme.grid, 1);
      this.text(brief(Math.abs(value) < 1e-9 * (signal.high - signal.low) ? 0 : value, 3), this.inset.left - 8, y, theme.muted, 11, "right");
    }
    if (signal.low < 0 && signal.high > 0) {
      const zero = this.down(signal, 0, top, height);
      this.line([[this.inset.left, zero], [end, zero]], theme.faint, 1);
    }
    pen.lineJoin = "round";
    this.line(Array.from(signal.t, (t, i) => [this.across(t), this.down(signal, signal.values[i], top, height)]), colour, 1.6);
  }

  value(signal, elapsed, top, height, colour, theme) {
    const { pen } = this, value = signal.at(elapsed), y = this.down(signal, value, top, height);
    pen.beginPath();
    pen.arc(this.across(elapsed), y, 4, 0, 2 * Math.PI);
    pen.fillStyle = colour;
    pen.fill();
    pen.strokeStyle = theme.paper;
    pen.lineWidth = 1.5;
    pen.stroke();
    this.text(`${signal.name}${signal.unit ? ` [${signal.unit}]` : ""}`, this.inset.left, top - 10, colour, 12, "left", 600);
    this.text(brief(value), this.width - 14, top + height / 2, theme.ink, 13, "right", 500);
  }

  line(pixels, colour, width) {
    strokeLine(this.pen, pixels, colour, width);
  }

  text(text, x, y, colour, size, align, weight = 400) {
    const { pen } = this;
    pen.font = `${weight} ${size}px ${this.theme.font}`;
    pen.textAlign = align;
    pen.textBaseline = "middle";
    pen.strokeStyle = this.theme.paper;
    pen.lineWidth = 4;
    pen.strokeText(text, x, y);
    pen.fillStyle = colour;
    pen.fillText(text, x, y);
  }
}
