"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const [WAS, NOW] = data.sides; // what the two pictures are called
  const $ = (id) => document.getElementById(id);
  const WORDS = { all: "All", failed: "Failed", changed: "Changed", same: "Same", recorded: "Recorded", kept: "Kept" };
  const SIGNS = { failed: "✕", changed: "≈", same: "✓", recorded: "●", kept: "●" };
  const VIEWS = [["swipe", "Swipe"], ["flicker", "Flicker"], ["side", "Side by side"], ["heat", "Difference"], ["close", "1:1"]];
  const FLICKER_MS = 500; // two changes a second: below the three flashes of WCAG 2.3.1
  const SWIPE_STEP = 2; // per cent
  const state = { filter: "all", query: "", name: null, view: "swipe", timer: null };

  // An element with attributes and children; text never becomes markup.
  const el = (tag, attributes = {}, ...children) => {
    const node = tag === "svg" || tag === "path"
      ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
      else if (key === "vars") for (const [name, text] of Object.entries(value)) node.style.setProperty(name, text);
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
  };
  const badge = (verdict) => el("span", { class: "badge " + verdict }, el("span", { "aria-hidden": "true" }, SIGNS[verdict]), WORDS[verdict]);
  const count = (verdict) => data.cases.filter((one) => verdict === "all" || one.verdict === verdict).length;
  const ORDER = ["failed", "changed", "recorded", "kept", "same"]; // what needs eyes comes first
  data.cases.sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
  const present = ["failed", "changed", "same", "recorded", "kept"].filter((verdict) => count(verdict) > 0);
  const shown = () => data.cases.filter((one) => (state.filter === "all" || one.verdict === state.filter)
    && one.name.toLowerCase().includes(state.query.toLowerCase()));
  const chosen = () => data.cases.find((one) => one.name === state.name);

  // ---- list and filters
  const drawFilters = () => {
    $("filters").replaceChildren(...["all", ...present].map((verdict) => el("button", {
      type: "button", class: verdict, "aria-pressed": String(state.filter === verdict), "data-filter": verdict,
      onclick: () => setFilter(verdict) }, WORDS[verdict], el("b", {}, String(count(verdict))))));
  };
  const setFilter = (verdict) => {
    state.filter = verdict;
    for (const button of $("filters").children) button.setAttribute("aria-pressed", String(button.dataset.filter === verdict));
    drawList();
    const left = shown();
    if (left.length && !left.includes(chosen())) choose(left[0].name);
    say(`${left.length} of ${data.cases.length} cases shown`);
  };
  const drawList = () => {
    const items = shown();
    $("list").replaceChildren(...items.map((one) => el("li", {}, el("button", {
      type: "button", class: "case", "data-name": one.name, "aria-current": one.name === state.name ? "true" : null,
      onclick: () => choose(one.name, true) },
      el("span", { class: "thumb" }, one.pictures ? el("img", { src: one.pictures.thumb, alt: "" }) : "–"),
      el("span", {}, el("span", { class: "name" }, one.name), badge(one.verdict),
        el("span", { class: "why" }, one.reasons[0] || one.note || ""))))));
    $("none").hidden = items.length > 0;
  };
  const choose = (name, scroll = false) => {
    state.name = name;
    for (const button of document.querySelectorAll(".case")) {
      if (button.dataset.name === name) { button.setAttribute("aria-current", "true"); button.scrollIntoView({ block: "nearest" }); }
      else button.removeAttribute("aria-current");
    }
    drawDetail();
    remember();
    if (scroll && matchMedia("(max-width: 820px)").matches) $("detail").scrollIntoView();
    const items = shown();
    say(`${items.indexOf(chosen()) + 1} of ${items.length}: ${name}, ${WORDS[chosen().verdict]}`);
  };
  const step = (by) => {
    const items = shown();
    if (!items.length) return;
    const at = items.indexOf(chosen());
    choose(items[Math.min(items.length - 1, Math.max(0, at + by))].name);
  };
  const say = (text) => { $("status").textContent = text; };
  const remember = () => { try { history.replaceState(null, "", `#${encodeURIComponent(state.name)}/${state.view}`); } catch { /* a page without an address */ } };

  // ---- pictures
  const picture = (source, what) => el("img", { src: source, alt: `${what} of ${state.name}` });
  const sizes = (width, height) => ({ "--w": `${Math.max(width, 720)}px`, "--ratio": String(width / height) });
  const views = {
    swipe(one, p) {
      const frame = el("div", { class: "frame swipe", vars: { ...sizes(p.width, p.height), "--at": "50%" } }, picture(p.golden, WAS));
      const over = picture(p.candidate, NOW);
      over.classList.add("over");
      const range = el("input", { type: "range", min: "0", max: "100", step: "any", value: "50", "aria-label": `Swipe edge: ${WAS} left of it, ${NOW} right`,
        oninput: () => { frame.style.setProperty("--at", range.value + "%"); } });
      frame.append(over, el("span", { class: "edge" }), el("span", { class: "tag left" }, WAS), el("span", { class: "tag right" }, NOW), range);
      return frame;
    },
    flicker(one, p) {
      const over = picture(p.candidate, NOW);
      over.classList.add("over");
      return el("div", { class: "frame flicker", vars: sizes(p.width, p.height) }, picture(p.golden, WAS), over, el("span", { class: "tag left", id: "which" }, WAS));
    },
    side(one, p) {
      return el("div", { class: "pair", vars: sizes(p.width, p.height) }, ...[[WAS, p.golden], [NOW, p.candidate]].map(([what, source]) =>
        el("figure", {}, el("figcaption", {}, what), picture(source, what))));
    },
    heat(one, p) {
      return el("div", { class: "frame", vars: sizes(p.width, p.height) }, picture(p.heat, "difference map"));
    },
    close(one) {
      const c = one.crop;
      return el("div", { class: "pair", vars: { "--w": "480px", "--ratio": String(c.width / c.height) } }, ...[[WAS, c.golden], [NOW, c.candidate]].map(([what, source]) =>
        el("figure", {}, el("figcaption", {}, `${what}, pixels ${c.x}…${c.x + c.width - 1} × ${c.y}…${c.y + c.height - 1}`), picture(source, what + " in single pixels"))));
    },
  };
  const legends = {
    swipe: () => ["Drag the edge, or use ", el("kbd", {}, "←"), " ", el("kbd", {}, "→"), "."],
    flicker: () => ["Two pictures a second; ", el("kbd", {}, "Space"), " shows the other one, ", el("kbd", {}, "p"), " pauses."],
    side: () => [],
    heat: (one) => ["equal", el("span", { class: "ramp", role: "img", "aria-label": "from black over red and yellow to white", vars: { "--ramp": data.ramp.join(", ") } }), "full scale; logarithmic, largest of the channels",
      one.pictures.largest ? ` (here at most ${one.pictures.largest})` : ""],
    close: () => ["Around the pixel that differs most, enlarged without smoothing."],
  };
  const canShow = (one, view) => Boolean(one.pictures && one.pictures.candidate && (view !== "heat" || one.pictures.heat) && (view !== "close" || one.crop));
  const setView = (view) => {
    const one = chosen();
    if (!one || !canShow(one, view)) return;
    state.view = view;
    drawViewer(one);
    remember();
    say(VIEWS.find(([id]) => id === view)[1]);
  };
  const stopFlicker = () => { clearInterval(state.timer); state.timer = null; };
  const flip = () => {
    const frame = document.querySelector(".flicker");
    if (frame) $("which").textContent = frame.classList.toggle("other") ? NOW : WAS;
  };
  const runFlicker = (run) => {
    stopFlicker();
    if (run) state.timer = setInterval(flip, FLICKER_MS);
    const button = $("run");
    if (button) button.textContent = run ? "Pause" : "Run";
  };
  const drawViewer = (one) => {
    stopFlicker();
    const viewer = $("viewer");
    if (!one.pictures) { viewer.replaceChildren(el("div", { class: "stage" }, el("p", { class: "empty" }, "There is no picture to show."))); return; }
    if (!one.pictures.candidate) {
      viewer.replaceChildren(el("div", { class: "stage" }, el("div", { class: "frame", vars: sizes(one.pictures.width, one.pictures.height) },
        picture(one.pictures.golden, one.pictures.only))), el("p", { class: "legend" }, one.pictures.caption));
      return;
    }
    const view = canShow(one, state.view) ? state.view : "swipe";
    const tabs = el("div", { class: "tabs", role: "tablist", "aria-label": "Ways to compare" }, ...VIEWS.map(([id, title], index) => el("button", {
      type: "button", role: "tab", id: "tab-" + id, "aria-selected": String(id === view), "aria-controls": "stage", disabled: !canShow(one, id),
      onclick: () => { setView(id); $("tab-" + id).focus(); } }, title, el("kbd", { "aria-hidden": "true" }, String(index + 1)))));
    const bar = el("div", { class: "bar" }, tabs);
    if (view === "flicker") bar.append(el("button", { type: "button", class: "tool", id: "run", onclick: () => runFlicker(!state.timer) }, "Run"));
    const legend = legends[view](one);
    viewer.replaceChildren(bar, el("div", { class: "stage", id: "stage", role: "tabpanel", "aria-labelledby": "tab-" + view }, views[view](one, one.pictures)),
      ...(legend.length ? [el("p", { class: "legend" }, ...legend)] : []));
    if (view === "flicker") runFlicker(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  };

  // ---- numbers
  const table = (heads, rows, caption) => el("div", { class: "scroll" }, el("table", {}, el("caption", { class: "hidden" }, caption),
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, ...rows)));
  const findings = (one) => el("div", { class: "card" }, el("h3", {}, "Measured"), table(["Metric", "Value", "Allowed", ""],
    one.findings.map((row) => el("tr", { class: row.within ? null : "bad" }, el("th", { scope: "row" }, row.title), el("td", { class: "number" }, row.value),
      el("td", { class: "number" }, row.limit === null ? "" : `${row.least ? "≥" : "≤"} ${row.limit}`), el("td", { class: "mark" }, ...(row.limit === null ? [] : [el("span", { "aria-hidden": "true" }, row.within ? "✓" : "✕"), el("span", { class: "hidden" }, row.within ? "within" : "outside")])))), "Metrics and their limits"));
  const tags = (one) => el("div", { class: "card" }, el("h3", {}, "Metadata"), table(["Tag", WAS, NOW],
    one.tags.map((tag) => el("tr", { class: "bad" }, el("th", { scope: "row" }, tag.name), el("td", {}, tag.golden ?? "–"), el("td", {}, tag.candidate ?? "–"))), "Tags that differ"));
  const histograms = (one) => {
    const h = one.histogram;
    const colours = { red: "var(--r)", green: "var(--g)", blue: "var(--b)" };
    const charts = h.channels.map((name, index) => {
      const [was, now] = [h.golden[index], h.candidate ? h.candidate[index] : null];
      const top = Math.max(...was, ...(now || []), 1e-9);
      const points = (bins) => bins.map((value, bin) => `${bin},${(100 - 100 * Math.sqrt(value / top)).toFixed(1)}`);
      const svg = el("svg", { viewBox: `0 0 ${was.length - 1} 100`, preserveAspectRatio: "none", role: "img",
        "aria-label": `Histogram of ${name}: mean ${h.goldenMeans[index]} in ${WAS}` + (now ? `, ${h.candidateMeans[index]} in ${NOW}` : "") },
        el("path", { class: "was", d: `M0,100 L${points(was).join(" L")} L${was.length - 1},100 Z` }));
      if (now) svg.append(el("path", { class: "now", d: `M${points(now).join(" L")}` }));
      return el("div", { vars: { "--c": colours[name] || "var(--ink)" } }, svg, el("p", {}, el("span", {}, el("span", { class: "key" }), name),
        el("span", {}, now && h.candidateMeans[index] !== h.goldenMeans[index] ? `mean ${h.goldenMeans[index]} → ${h.candidateMeans[index]}` : `mean ${h.goldenMeans[index]}`)));
    });
    return el("div", { class: "card" }, el("h3", {}, "Histograms"), el("div", { class: "histograms" }, ...charts),
      el("p", { class: "muted" }, el("span", { class: "key", vars: { "--c": "var(--was)" } }), h.candidate ? `${WAS}, the line is ${NOW}; square-root scale` : "square-root scale"));
  };
  const drawDetail = () => {
    const one = chosen();
    const facts = [one.findings.length ? findings(one) : null, one.tags.length ? tags(one) : null, one.histogram ? histograms(one) : null].filter(Boolean);
    $("detail").replaceChildren(...[
      el("div", { class: "headline" }, el("h2", {}, one.name), badge(one.verdict), el("span", { class: "muted" }, [one.grade && `grade ${one.grade}`, one.facts].filter(Boolean).join(" · "))),
      one.note ? el("p", { class: "note" }, one.note) : null,
      one.reasons.length + one.warnings.length ? el("ul", { class: "reasons " + one.verdict }, ...one.reasons.map((text) => el("li", {}, text)), ...one.warnings.map((text) => el("li", {}, "warning: " + text))) : null,
      el("div", { class: "card viewer", id: "viewer" }),
      facts.length ? el("div", { class: "facts" }, ...facts) : null,
      one.commands.length ? el("details", { class: "card" }, el("summary", {}, "How it is made"), el("pre", {}, one.commands.join("\n"))) : null,
    ].filter(Boolean));
    drawViewer(one);
  };

  // ---- keys and theme
  const setTheme = (theme) => { document.documentElement.dataset.theme = theme; };
  const otherTheme = () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  const swipe = (by) => {
    const range = document.querySelector(".swipe input");
    if (!range) return false;
    range.value = String(Math.min(100, Math.max(0, Number(range.value) + by)));
    range.dispatchEvent(new Event("input"));
    return true;
  };
  const keys = {
    j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
    ArrowLeft: () => swipe(-SWIPE_STEP), ArrowRight: () => swipe(SWIPE_STEP),
    f: () => { const all = ["all", ...present]; setFilter(all[(all.indexOf(state.filter) + 1) % all.length]); },
    " ": () => { if (!document.querySelector(".flicker")) return false; runFlicker(false); flip(); return true; },
    p: () => { if (document.querySelector(".flicker")) runFlicker(!state.timer); },
    t: otherTheme, "/": () => $("search").focus(), "?": () => $("keys").showModal(),
  };
  VIEWS.forEach(([id], index) => { keys[String(index + 1)] = () => setView(id); });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("keys").open) return;
    const target = event.target;
    if (target.id === "search") { if (event.key === "Escape") target.blur(); return; }
    if (event.key === " " && target.closest && target.closest("button, summary")) return;
    const action = keys[event.key];
    if (action && action() !== false) event.preventDefault();
  });

  // ---- start
  document.body.classList.toggle("single", data.cases.length === 1);
  setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.title = `${data.suite}: ${count("failed")} failed of ${data.cases.length}`;
  $("suite").textContent = data.suite;
  $("tool").textContent = [data.tool, ...present.map((verdict) => `${count(verdict)} ${verdict}`)].join(" · ");
  $("share").setAttribute("aria-label", present.map((verdict) => `${count(verdict)} ${verdict}`).join(", "));
  $("share").append(...present.map((verdict) => el("i", { class: verdict, vars: { "--n": String(count(verdict)) } })));
  $("search").addEventListener("input", () => { state.query = $("search").value; drawList(); });
  $("theme").addEventListener("click", otherTheme);
  $("help").addEventListener("click", () => $("keys").showModal());
  const [name, view] = location.hash.slice(1).split("/").map(decodeURIComponent);
  if (VIEWS.some(([id]) => id === view)) state.view = view;
  const first = data.cases.find((one) => one.name === name) || data.cases[0];
  drawFilters();
  state.name = first.name;
  drawList();
  choose(first.name);
})();
