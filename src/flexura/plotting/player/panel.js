// The panel of a results page: signals to plot, a spectrum, events to jump to, findings, the model as text.

const TABS = ["Signals", "Spectrum", "Events", "Summary", "Model"];

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

class Panel {
  constructor(root, data, player) {
    Object.assign(this, { root, data: data.panel, player, every: [...data.signals, ...data.panel.signals.map((signal) => new Signal(signal))] });
    root.hidden = false;
    document.body.classList.add("report");
    this.tabs = TABS.map((name) => this.tab(name));
    this.sheets = TABS.map((name) => this.sheet(name));
    const list = element("div", { role: "tablist", className: "tabs" }, ...this.tabs);
    list.setAttribute("aria-label", "results");
    list.onkeydown = (event) => this.walk(event);
    root.append(list, ...this.sheets);
    this.choose(0);
  }

  tab(name) {
    const tab = element("button", { id: `tab-${name}`, textContent: name, role: "tab", onclick: () => this.choose(TABS.indexOf(name)) });
    tab.setAttribute("aria-controls", `sheet-${name}`);
    return tab;
  }

  sheet(name) {
    const sheet = element("div", { id: `sheet-${name}`, role: "tabpanel", className: "sheet", tabIndex: 0 });
    sheet.setAttribute("aria-labelledby", `tab-${name}`);
    this[name.toLowerCase()](sheet);
    return sheet;
  }

  // The arrows go from tab to tab, as in all programs.
  walk(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = (this.shown + step + TABS.length) % TABS.length;
    this.choose(next);
    this.tabs[next].focus();
  }

  choose(number) {
    this.shown = number;
    this.tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", i === number);
      tab.tabIndex = i === number ? 0 : -1;
      this.sheets[i].hidden = i !== number;
    });
    if (TABS[number] === "Spectrum") this.drawSpectrum();
  }

  // Any number of signals, found by a part of their names.
  signals(sheet) {
    const search = element("input", { type: "search", placeholder: "find a signal", oninput: () => narrow() });
    search.setAttribute("aria-label", "find a signal");
    const rows = this.every.map((signal) => {
      const box = element("input", { type: "checkbox", checked: this.player.strip.signals.includes(signal), onchange: () => this.plot(signal, box.checked) });
      return { signal, row: element("label", {}, box, element("span", { textContent: signal.name }), element("i", { textContent: signal.unit })) };
    });
    const narrow = () => rows.forEach(({ signal, row }) => (row.hidden = !signal.name.toLowerCase().includes(search.value.toLowerCase())));
    sheet.append(search, element("div", { className: "rows" }, ...rows.map(({ row }) => row)));
  }

  plot(signal, on) {
    const { strip } = this.player, rest = strip.signals.filter((other) => other !== signal);
    strip.show(on ? [...rest, signal] : rest);
    this.player.resize();
  }

  spectrum(sheet) {
    const select = element("select", { onchange: () => this.drawSpectrum() }, ...this.every.map((signal, i) => new Option(signal.name, i)));
    select.setAttribute("aria-label", "signal of the spectrum");
    this.chart = element("canvas", { className: "chart" });
    this.chart.setAttribute("role", "img");
    this.chart.setAttribute("aria-label", "amplitude over frequency");
    this.peaks = element("ul", { className: "plain" });
    this.chosen = select;
    sheet.append(select, this.chart, element("h2", { textContent: "Highest peaks" }), this.peaks);
  }

  drawSpectrum() {
    const signal = this.every[Number(this.chosen.value)], { frequency, amplitude } = amplitudes(signal);
    const { theme } = this.player, pen = this.chart.getContext("2d"), { width, height } = sharpen(this.chart);
    const top = Math.max(...amplitude, 1e-300), last = frequency[frequency.length - 1] || 1, left = 58, floor = height - 22;
    pen.clearRect(0, 0, width, height);
    pen.strokeStyle = theme.accent;
    pen.lineWidth = 1.4;
    pen.beginPath();
    frequency.forEach((f, i) => pen.lineTo(left + (f / last) * (width - left - 8), floor - (amplitude[i] / top) * (floor - 10)));
    pen.stroke();
    pen.fillStyle = theme.muted;
    pen.font = `11px ${theme.font}`;
    pen.textAlign = "right";
    pen.fillText(brief(top, 3), left - 6, 14);
    pen.fillText("0", left - 6, floor);
    pen.fillText(`${brief(last, 3)} Hz`, width - 8, height - 6);
    const highest = peaks(amplitude).slice(0, 6);
    this.peaks.replaceChildren(...highest.map((i) => element("li", { textContent: `${brief(frequency[i])} Hz: ${brief(amplitude[i])} ${signal.unit}` })));
  }

  events(sheet) {
    const { events } = this.data;
    if (!events.length) return void sheet.append(element("p", { textContent: "No events." }));
    const rows = events.map(({ time, text }) => element("button", { className: "event", onclick: () => this.player.seek(time) },
      element("b", { textContent: `${brief(time, 6)} s` }), element("span", { textContent: text })));
    sheet.append(element("p", { textContent: `${events.length} events; choose one to go there.` }), element("div", { className: "rows" }, ...rows));
  }

  summary(sheet) {
    sheet.append(element("pre", { textContent: this.data.summary }));
  }

  model(sheet) {
    sheet.append(element("pre", { textContent: this.data.model }));
  }
}

// One-sided amplitudes of a signal under Hann's window, on equally spaced samples; frequencies in Hz.
function amplitudes(signal) {
  const size = 2 ** Math.max(3, Math.floor(Math.log2(Math.max(signal.t.length, 8)))), span = signal.t[signal.t.length - 1] - signal.t[0];
  const real = new Float64Array(size), imaginary = new Float64Array(size);
  for (let i = 0; i < size; i++) real[i] = signal.at(signal.t[0] + (span * i) / size);
  const mean = real.reduce((a, b) => a + b, 0) / size;
  for (let i = 0; i < size; i++) real[i] = (real[i] - mean) * (1 - Math.cos((2 * Math.PI * i) / size));
  transform(real, imaginary);
  const frequency = [], amplitude = [];
  for (let k = 0; k <= size / 2; k++) {
    frequency.push(span ? k / span : k);
    amplitude.push((2 / size) * Math.hypot(real[k], imaginary[k]));
  }
  return { frequency, amplitude };
}

// The fast Fourier transform in place, for a power of two.
function transform(real, imaginary) {
  const size = real.length;
  for (let i = 1, j = 0; i < size; i++) {
    let bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [real[i], real[j], imaginary[i], imaginary[j]] = [real[j], real[i], imaginary[j], imaginary[i]];
  }
  for (let length = 2; length <= size; length <<= 1) {
    const angle = (-2 * Math.PI) / length, half = length / 2;
    for (let start = 0; start < size; start += length) {
      for (let k = 0; k < half; k++) {
        const c = Math.cos(angle * k), s = Math.sin(angle * k), a = start + k, b = a + half;
        const re = real[b] * c - imaginary[b] * s, im = real[b] * s + imaginary[b] * c;
        [real[b], imaginary[b]] = [real[a] - re, imaginary[a] - im];
        real[a] += re;
        imaginary[a] += im;
      }
    }
  }
}

// The places of local maxima, the highest first.
const peaks = (values) => Array.from(values.keys()).filter((i) => i && values[i] > values[i - 1] && values[i] >= (values[i + 1] ?? Infinity))
  .sort((a, b) => values[b] - values[a]);
