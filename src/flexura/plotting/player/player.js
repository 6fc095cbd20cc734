// Time and the hand on it: play, scrub, speed, repeat; drag and wheel on the stage; keys.
// The address may say where to start: page.html#t=0.25 stands still at that time.

const RATES = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8];
const find = (id) => document.getElementById(id);

class Player {
  constructor(data) {
    this.data = data;
    this.start = data.t[0];
    this.end = data.t[data.t.length - 1];
    this.camera = data.space ? new SpaceCamera(data) : new PlaneCamera(data.low, data.high);
    this.stage = new Stage(find("stage"), data, this.camera);
    this.strip = new Strip(find("strip"), data);
    const wish = /(?:^#|&)t=([-+\d.e]+)/.exec(location.hash), calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.state = { time: wish ? this.within(Number(wish[1])) : this.start, playing: !wish && !calm && this.end > this.start,
      rate: 1, loop: true, trace: data.trace.length > 0, forces: data.showForces, names: true, perspective: false };
    this.digits = Math.min(Math.max(0, 2 - Math.floor(Math.log10(this.end - this.start || 1))), 9);
    const machine = this.stage.extent(blendAt(data.t, this.start)), path = Math.max(...data.high.map((value, i) => value - data.low[i]));
    this.travels = Boolean(machine && machine.size) && path / machine.size > 4;
    this.closer = this.travels ? path / (2 * machine.size) : 1;
    this.state.follow = this.travels;
    find("follow").hidden = !this.travels;
    document.body.classList.toggle("still", !(this.end > this.start));
    document.body.classList.toggle("space", Boolean(data.space));
    find("forces").hidden = !data.forces.length;
    for (const rate of RATES) find("rate").add(new Option(`×${brief(rate * data.speed, 3)}`, rate, rate === 1, rate === 1));
    this.retheme();
    if (data.panel) this.panel = new Panel(find("panel"), data, this);
    this.listen();
    this.resize();
    this.fit();
    requestAnimationFrame((now) => this.tick(now));
  }

  within(time) {
    return Math.min(Math.max(time, this.start), this.end);
  }

  // Any change of state goes through here, and is drawn with the next frame.
  set(change) {
    Object.assign(this.state, change);
    this.dirty = true;
  }

  tick(now) {
    const { state, data } = this, passed = Math.min(now - (this.before ?? now), 100) / 1000;
    this.before = now;
    if (state.playing) this.advance(passed * state.rate * data.speed);
    if (this.dirty) this.draw();
    requestAnimationFrame((later) => this.tick(later));
  }

  advance(step) {
    const { state, start, end } = this, time = state.time + step;
    if (time <= end) this.set({ time });
    else if (state.loop) this.set({ time: start + ((time - start) % (end - start)) });
    else this.set({ time: end, playing: false });
  }

  draw() {
    const { state, start, end } = this, look = { ...state, theme: this.theme };
    this.dirty = false;
    this.stage.draw(state.time, look);
    this.strip.draw(state.time, look);
    find("scrubber").value = (state.time - start) / (end - start || 1);
    find("clock").innerHTML = `<b>${state.time.toFixed(this.digits)}</b> / ${end.toFixed(this.digits)} s`;
    for (const [id, on] of [["play", state.playing], ["loop", state.loop], ["trace", state.trace], ["forces", state.forces], ["names", state.names], ["follow", state.follow], ["perspective", state.perspective]])
      find(id).setAttribute("aria-pressed", on);
  }

  resize() {
    this.strip.resize();
    this.stage.resize();
    this.set({});
  }

  retheme() {
    this.theme = readTheme(this.data.palette);
    this.set({});
  }

  toggle(name) {
    this.set({ [name]: !this.state[name] });
  }

  // At the end, play begins again.
  play() {
    const { state, start, end } = this;
    this.set({ playing: !state.playing, time: !state.playing && state.time >= end ? start : state.time });
  }

  seek(time) {
    this.set({ time: this.within(time), playing: false });
  }

  // To a neighbouring frame.
  step(count) {
    const { frame, part } = momentAt(this.data.t, this.state.time), last = this.data.t.length - 1;
    const target = count > 0 ? frame + Math.floor(part + 1e-6) + count : frame + Math.ceil(part - 1e-6) + count;
    this.seek(this.data.t[Math.min(Math.max(target, 0), last)]);
  }

  faster(steps) {
    const select = find("rate");
    select.selectedIndex = Math.min(Math.max(select.selectedIndex + steps, 0), RATES.length - 1);
    this.set({ rate: RATES[select.selectedIndex] });
  }

  fit() {
    this.camera.reset();
    if (this.state.follow) this.camera.zoom(this.closer, this.camera.width / 2, this.camera.height / 2);
    this.set({});
  }

  // Along with a machine that travels, or all of its way in view.
  go() {
    if (!this.travels) return;
    this.toggle("follow");
    this.fit();
  }

  // Space only: what is near becomes larger.
  look() {
    if (!this.data.space) return;
    this.toggle("perspective");
    this.camera.perspective = this.state.perspective;
  }

  listen() {
    find("play").onclick = () => this.play();
    find("fit").onclick = () => this.fit();
    find("perspective").onclick = () => this.look();
    find("follow").onclick = () => this.go();
    for (const name of ["loop", "trace", "forces", "names"]) find(name).onclick = () => this.toggle(name);
    find("rate").onchange = (event) => this.set({ rate: Number(event.target.value) });
    find("scrubber").oninput = (event) => this.seek(this.start + Number(event.target.value) * (this.end - this.start));
    new ResizeObserver(() => this.resize()).observe(document.body);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.retheme());
    this.listenToStage(find("stage"));
    this.listenToStrip(find("strip"));
    this.listenToKeys();
  }

  // One finger or the mouse drags: it pans the plane and turns space, which pans with shift. Two fingers pan and zoom, the wheel zooms.
  listenToStage(canvas) {
    const fingers = new Map();
    const spread = ([a, b]) => Math.hypot(a[0] - b[0], a[1] - b[1]);
    canvas.onpointerdown = (event) => {
      canvas.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
      document.body.classList.add("handled");
    };
    canvas.onpointermove = (event) => {
      const before = fingers.get(event.pointerId), here = [event.offsetX, event.offsetY];
      if (!before) return;
      const apart = fingers.size === 2 && spread([...fingers.values()]);
      fingers.set(event.pointerId, here);
      const move = event.shiftKey || fingers.size > 1 ? "pan" : "drag";
      this.camera[move]((here[0] - before[0]) / fingers.size, (here[1] - before[1]) / fingers.size);
      if (apart) this.camera.zoom(spread([...fingers.values()]) / apart, ...here);
      this.set({});
    };
    canvas.onpointerup = canvas.onpointercancel = (event) => fingers.delete(event.pointerId);
    canvas.ondblclick = () => this.fit();
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const lines = event.deltaMode ? 30 : 1;
      this.camera.zoom(Math.exp(-0.0015 * lines * event.deltaY), event.offsetX, event.offsetY);
      this.set({});
    }, { passive: false });
  }

  listenToStrip(canvas) {
    canvas.onpointerdown = (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.seek(this.strip.timeAt(event.offsetX));
    };
    canvas.onpointermove = (event) => {
      if (event.buttons) this.seek(this.strip.timeAt(event.offsetX));
    };
  }

  listenToKeys() {
    const keys = {
      " ": () => this.play(), ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1),
      Home: () => this.seek(this.start), End: () => this.seek(this.end), "+": () => this.faster(1), "=": () => this.faster(1),
      "-": () => this.faster(-1), l: () => this.toggle("loop"), t: () => this.toggle("trace"), a: () => this.toggle("forces"), n: () => this.toggle("names"),
      f: () => this.fit(), p: () => this.look(), g: () => this.go(),
    };
    window.addEventListener("keydown", (event) => {
      const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("#panel")) return;
      event.preventDefault();
      act();
    }, { capture: true });
  }
}

new Player(readData());
