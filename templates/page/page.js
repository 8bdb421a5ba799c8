"use strict";
// Text of a recording reaches the page by textContent alone, and never as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const events = data.events;
const ROW = 28;
const EVERY = 200;
const $ = (id) => document.getElementById(id);
const number = new Intl.NumberFormat("en");
let at = 0;

function node(tag, classes, text) {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  if (text !== undefined) made.textContent = text;
  return made;
}

// The snapshot: the changes of all events up to one, from the last kept snapshot on.

const kept = [{}];

function change(root, [effect, path, value]) {
  if (path.length === 0) return structuredClone(value);
  let parent = root;
  for (const token of path.slice(0, -1)) parent = parent[token];
  const last = path[path.length - 1];
  if (effect === "removed") delete parent[last];
  else if (effect === "extended") own(parent, last, parent[last] + value);
  else own(parent, last, structuredClone(value));
  return root;
}

// A member may be called __proto__.
function own(parent, name, value) {
  Object.defineProperty(parent, name, { value, writable: true, enumerable: true, configurable: true });
}

function snapshotAfter(index) {
  const start = Math.min(Math.floor((index + 1) / EVERY), kept.length - 1);
  let snapshot = structuredClone(kept[start]);
  for (let i = start * EVERY; i <= index; i += 1) {
    for (const it of events[i].changes) snapshot = change(snapshot, it);
    if ((i + 1) % EVERY === 0 && kept.length === (i + 1) / EVERY) kept.push(structuredClone(snapshot));
  }
  return snapshot;
}

// Values, as lines of text with their parts marked.

function scalar(value) {
  const kind = typeof value === "string" ? "string" : "number";
  return node("span", kind, JSON.stringify(value));
}

function write(into, value, indent, marks, path) {
  const mark = marks && marks.get(JSON.stringify(path));
  if (mark) {
    const target = into;
    into = node("span", "changed");
    target.append(into);
    if (mark[0] === "extended") {
      const before = value.slice(0, value.length - mark[2].length);
      into.className = "string";
      into.append(JSON.stringify(before).slice(0, -1));
      into.append(node("span", "changed", JSON.stringify(mark[2]).slice(1, -1)), '"');
      return;
    }
  }
  if (value === null || typeof value !== "object") {
    into.append(scalar(value));
    return;
  }
  const isArray = Array.isArray(value);
  const members = isArray ? value.map((it, i) => [i, it]) : Object.entries(value);
  if (!members.length) {
    into.append(isArray ? "[]" : "{}");
    return;
  }
  into.append(isArray ? "[" : "{");
  members.forEach(([name, member], index) => {
    into.append(`${index ? "," : ""}\n${"  ".repeat(indent + 1)}`);
    if (!isArray) into.append(node("span", "key", JSON.stringify(name)), ": ");
    write(into, member, indent + 1, marks, [...path, name]);
  });
  into.append(`\n${"  ".repeat(indent)}${isArray ? "]" : "}"}`);
}

// A typed value: ["record", class, members], ["list", items], ["dict", members] or a scalar.
function writeTyped(into, value, indent) {
  if (!Array.isArray(value)) {
    into.append(value === null ? "None" : value === true ? "True" : value === false ? "False" : scalar(value));
    return;
  }
  const [kind, ...rest] = value;
  const members = rest[rest.length - 1];
  const [open, close] = { record: ["(", ")"], list: ["[", "]"], dict: ["{", "}"] }[kind];
  if (kind === "record") into.append(node("span", "class", rest[0]));
  into.append(open);
  for (const member of members) {
    into.append(`\n${"  ".repeat(indent + 1)}`);
    if (kind === "record") into.append(node("span", "key", member[0]), "=");
    if (kind === "dict") into.append(node("span", "key", JSON.stringify(member[0])), ": ");
    writeTyped(into, kind === "list" ? member : member[1], indent + 1);
    into.append(",");
  }
  into.append(members.length ? `\n${"  ".repeat(indent)}${close}` : close);
}

// The list of events holds only the rows that are seen.

function drawRows() {
  const list = $("events");
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 5);
  const last = Math.min(events.length, first + Math.ceil(list.clientHeight / ROW) + 10);
  const rows = [];
  for (let i = first; i < last; i += 1) {
    const event = events[i];
    const row = node("div", `row ${event.role.split(" ")[0]}${i === at ? " chosen" : ""}`);
    row.style.top = `${i * ROW}px`;
    row.dataset.index = i;
    row.append(node("span", "offset", number.format(event.offset)), node("span", "name", event.name || event.role));
    row.append(node("span", "brief", event.brief));
    if (event.deviations.length) row.append(node("span", "mark", "!"));
    rows.push(row);
  }
  $("rows").style.height = `${events.length * ROW}px`;
  $("rows").replaceChildren(...rows);
}

function stripStep() {
  return Math.min(24, $("strip").clientWidth / Math.max(1, events.length));
}

function drawStrip() {
  const canvas = $("strip");
  const width = canvas.clientWidth;
  const scale = window.devicePixelRatio || 1;
  canvas.width = width * scale;
  canvas.height = 22 * scale;
  const ink = canvas.getContext("2d");
  ink.scale(scale, scale);
  const colors = getComputedStyle(document.documentElement);
  const color = (name) => colors.getPropertyValue(name).trim();
  const step = stripStep();
  const gap = step > 4 ? 1 : 0;
  events.forEach((event, i) => {
    const isBad = ["invalid", "error", "cut off"].includes(event.role);
    const odd = event.deviations.length > 0;
    ink.fillStyle = isBad ? color("--bad") : odd ? color("--odd") : color("--line");
    const height = isBad || odd ? 14 : 8;
    ink.fillRect(i * step, 18 - height, Math.max(1, step - gap), height);
  });
  ink.fillStyle = color("--accent");
  ink.fillRect(Math.min(at * step, width - 2), 0, Math.max(2, step - gap), 22);
}

function show(index, from) {
  if (!events.length) return;
  at = Math.max(0, Math.min(events.length - 1, index));
  const event = events[at];
  $("event").textContent = event.name || event.role;
  const told = event.role === "typed" ? "" : ` · ${event.role}`;
  $("where").textContent = `${number.format(at + 1)} of ${number.format(events.length)} · byte ${number.format(event.offset)}${told}`;
  $("found").replaceChildren(...event.deviations.map(drawDeviation));
  $("raw").textContent = event.raw;
  const typed = document.createDocumentFragment();
  if (event.typed !== null) writeTyped(typed, event.typed, 0);
  else if (event.json !== null) write(typed, event.json, 0, null, []);
  $("typed").replaceChildren(typed);
  drawSnapshot(event);
  markSearched();
  const list = $("events");
  if (from !== "list") {
    const top = at * ROW;
    if (top < list.scrollTop || top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
  }
  drawRows();
  drawStrip();
  history.replaceState(null, "", `#${at + 1}`);
}

function drawSnapshot(event) {
  const marks = new Map(event.changes.map((it) => [JSON.stringify(it[1]), it]));
  const snapshot = document.createDocumentFragment();
  write(snapshot, snapshotAfter(at), 0, marks, []);
  for (const [effect, path] of event.changes) {
    if (effect === "removed") snapshot.append("\n", node("span", "removed", path.join(".")));
  }
  $("snapshot").replaceChildren(snapshot);
  const changed = $("snapshot").querySelector(".changed");
  if (changed) $("snapshot").scrollTop = changed.offsetTop - $("snapshot").offsetTop - 60;
}

function drawDeviation(deviation) {
  const item = node("li");
  item.append(node("b", "", deviation.told), ` ${deviation.what}`);
  item.append(node("div", "schema", `${deviation.place}  ${deviation.schema}`));
  return item;
}

function drawFindings() {
  const groups = new Map();
  events.forEach((event, i) => {
    for (const it of event.deviations) {
      const key = JSON.stringify([it.schema, it.told]);
      if (!groups.has(key)) groups.set(key, { ...it, at: [] });
      groups.get(key).at.push(i);
    }
  });
  const drawn = [...groups.values()].map((group) => {
    const item = node("div", "finding");
    item.append(node("span", "count", number.format(group.at.length)), node("b", "", group.told));
    item.append(node("p", "", `${group.place}  ${group.schema}`));
    const links = node("p");
    for (const index of [...new Set(group.at)].slice(0, 20)) {
      const link = node("a", "", number.format(index + 1));
      link.href = `#${index + 1}`;
      links.append(link);
    }
    item.append(links);
    return item;
  });
  for (const it of data.ending) {
    const item = node("div", "finding");
    item.append(node("b", "", it.told), node("p", "", it.what), node("p", "", `${it.place}  ${it.schema}`));
    drawn.push(item);
  }
  $("deviations").replaceChildren(...drawn);
  if (!drawn.length) $("deviations").append(node("div", "finding", "None: all is as the document says."));
  $("tab-deviations").textContent = `Deviations ${number.format(events.reduce((n, it) => n + it.deviations.length, data.ending.length))}`;
}

// Search

let hits = [];

function search() {
  const text = $("search").value.toLowerCase();
  hits = [];
  if (text) events.forEach((event, i) => { if (`${event.name}\n${event.raw}`.toLowerCase().includes(text)) hits.push(i); });
  if (hits.length && !hits.includes(at)) show(hits.find((i) => i > at) ?? hits[0]);
  else markSearched();
  tellHits();
}

function tellHits() {
  const place = hits.indexOf(at) + 1;
  $("hits").textContent = $("search").value ? `${place || "–"} / ${number.format(hits.length)}` : "";
}

function step(list, back) {
  const next = back ? list.filter((i) => i < at).pop() : list.find((i) => i > at);
  if (next !== undefined) show(next);
  else if (list.length) show(back ? list[list.length - 1] : list[0]);
  tellHits();
}

function markSearched() {
  const text = $("search").value.toLowerCase();
  if (!text) return;
  const raw = events[at].raw;
  const parts = document.createDocumentFragment();
  let start = 0;
  for (let i = raw.toLowerCase().indexOf(text); i >= 0 && start < raw.length; i = raw.toLowerCase().indexOf(text, start)) {
    parts.append(raw.slice(start, i), node("mark", "", raw.slice(i, i + text.length)));
    start = i + text.length;
  }
  parts.append(raw.slice(start));
  $("raw").replaceChildren(parts);
}

function choose(tab) {
  for (const name of ["events", "deviations"]) {
    $(`tab-${name}`).setAttribute("aria-selected", String(name === tab));
    $(name).hidden = name !== tab;
  }
  drawRows();
}

// Keys and mouse

const odd = events.flatMap((event, i) => (event.deviations.length ? [i] : []));
const keys = {
  ArrowRight: () => show(at + 1), ArrowDown: () => show(at + 1), j: () => show(at + 1),
  ArrowLeft: () => show(at - 1), ArrowUp: () => show(at - 1), k: () => show(at - 1),
  PageDown: () => show(at + 20), PageUp: () => show(at - 20),
  Home: () => show(0), End: () => show(events.length - 1),
  d: () => step(odd, false), D: () => step(odd, true),
  "/": () => $("search").focus(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === $("search")) {
    if (event.key === "Enter") step(hits, event.shiftKey);
    if (event.key === "Escape") $("search").blur();
    return;
  }
  if (keys[event.key]) {
    event.preventDefault();
    keys[event.key]();
  }
});
$("search").addEventListener("input", search);
$("back").addEventListener("click", () => show(at - 1));
$("on").addEventListener("click", () => show(at + 1));
$("tab-events").addEventListener("click", () => choose("events"));
$("tab-deviations").addEventListener("click", () => choose("deviations"));
$("events").addEventListener("scroll", drawRows);
$("rows").addEventListener("click", (event) => {
  const row = event.target.closest(".row");
  if (row) show(Number(row.dataset.index), "list");
});
$("strip").addEventListener("pointerdown", (event) => {
  show(Math.floor(event.offsetX / stripStep()));
});
window.addEventListener("hashchange", () => show(Number(location.hash.slice(1)) - 1));
window.addEventListener("resize", () => { drawRows(); drawStrip(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawStrip);

document.title = `${data.name} · streambind inspect`;
$("name").textContent = data.name;
$("about").textContent = data.about;
$("outcome").textContent = data.outcome;
$("outcome").className = data.outcome;
$("counts").textContent = `· ${number.format(events.length)} events in ${number.format(data.size)} bytes`;
drawFindings();
show((Number(location.hash.slice(1)) || 1) - 1);
