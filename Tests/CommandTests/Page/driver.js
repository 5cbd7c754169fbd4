"use strict";
// Uses the page as a reader would, and writes what happened into the document, which the browser prints.
(async () => {
  const results = {};
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const wait = (time) => new Promise((done) => setTimeout(done, time));
  const key = (name, target = document.body) =>
    target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  const current = () => all('.case[aria-current="true"]').map((one) => one.dataset.name).join();
  const names = () => all(".case").map((one) => one.dataset.name);
  const expect = (group, what, holds) => { (results[group] ||= []).push(...(holds ? [] : [what])); };
  const attempt = async (group, body) => { results[group] ||= []; try { await body(); } catch (error) { results[group].push(String(error)); } };
  const failed = data.cases.find((one) => one.verdict === "failed");

  await attempt("summary", async () => {
    expect("summary", "title", document.title.includes("1 failed of 3"));
    expect("summary", "all cases listed", names().length === data.cases.length);
    expect("summary", "the failed case comes first", current() === failed.name);
    expect("summary", "no address is asked for", performance.getEntriesByType("resource").every((one) => one.name.startsWith("data:")));
    expect("summary", "pictures decode", all("img").length > 3 && all("img").every((one) => one.complete && one.naturalWidth > 0));
    expect("summary", "metrics have limits", all(".detail tbody tr.bad").length > 0 && $(".detail table").textContent.includes("PSNR"));
    expect("summary", "three histograms with two curves", all(".histograms svg").length === 3 && all(".histograms .now").length === 3);
  });

  await attempt("filter", async () => {
    for (const verdict of ["failed", "changed", "same"]) {
      $(`[data-filter="${verdict}"]`).click();
      const wanted = data.cases.filter((one) => one.verdict === verdict).map((one) => one.name);
      expect("filter", verdict, names().join() === wanted.join() && wanted.includes(current()));
      expect("filter", verdict + " is pressed", $(`[data-filter="${verdict}"]`).getAttribute("aria-pressed") === "true");
    }
    $('[data-filter="all"]').click();
    expect("filter", "all", names().length === data.cases.length);
    $("#search").value = "nothing like it";
    $("#search").dispatchEvent(new Event("input"));
    expect("filter", "none is said", names().length === 0 && !$("#none").hidden);
    $("#search").value = failed.name.slice(0, 4).toUpperCase();
    $("#search").dispatchEvent(new Event("input"));
    expect("filter", "search", names().includes(failed.name));
    $("#search").value = "";
    $("#search").dispatchEvent(new Event("input"));
  });

  await attempt("keyboard", async () => {
    all(".case")[0].click();
    key("j");
    expect("keyboard", "j", current() === names()[1]);
    key("ArrowDown");
    key("ArrowDown");
    expect("keyboard", "down stops at the end", current() === names().at(-1));
    key("k");
    expect("keyboard", "k", current() === names().at(-2));
    const chosen = current();
    $("#search").focus();
    key("j", $("#search"));
    expect("keyboard", "letters typed are no commands", current() === chosen);
    key("Escape", $("#search"));
    expect("keyboard", "Escape leaves the search", document.activeElement !== $("#search"));
    key("/");
    expect("keyboard", "/", document.activeElement === $("#search"));
    $("#search").blur();
    key("f");
    expect("keyboard", "f", $('[data-filter="failed"]').getAttribute("aria-pressed") === "true");
    for (let presses = 1; presses < all("[data-filter]").length; presses++) key("f");
    expect("keyboard", "f comes round", $('[data-filter="all"]').getAttribute("aria-pressed") === "true");
    key("?");
    expect("keyboard", "? lists the keys", $("#keys").open && $("#keys").textContent.includes("swipe"));
    $("#keys").close();
    const theme = document.documentElement.dataset.theme;
    key("t");
    expect("keyboard", "t", document.documentElement.dataset.theme !== theme);
    key("t");
    const button = $("#help");
    button.focus({ focusVisible: true });
    expect("keyboard", "focus is seen", getComputedStyle(button).outlineStyle === "solid" && parseFloat(getComputedStyle(button).outlineWidth) >= 2);
    button.blur();
  });

  const choose = (name) => all(".case").find((one) => one.dataset.name === name).click();
  await attempt("swipe", async () => {
    choose(failed.name);
    key("1");
    const edge = () => getComputedStyle($(".swipe .over")).clipPath;
    const range = $(".swipe input");
    expect("swipe", "starts in the middle", edge().includes("50%"));
    expect("swipe", "has a name", range.getAttribute("aria-label").length > 0);
    range.value = "80";
    range.dispatchEvent(new Event("input"));
    expect("swipe", "drag", edge().includes("80%") && getComputedStyle($(".swipe .edge")).left !== "0px");
    key("ArrowRight");
    expect("swipe", "right", edge().includes("82%"));
    key("ArrowLeft");
    key("ArrowLeft");
    expect("swipe", "left", edge().includes("78%"));
  });

  await attempt("flicker", async () => {
    choose(failed.name);
    key("2");
    const seen = () => getComputedStyle($(".flicker .over")).visibility;
    const first = seen();
    await wait(620);
    expect("flicker", "runs", seen() !== first);
    await wait(500);
    expect("flicker", "and back", seen() === first);
    key("p");
    const paused = seen();
    await wait(1200);
    expect("flicker", "p pauses", seen() === paused && $("#run").textContent === "Run");
    key(" ");
    expect("flicker", "Space shows the other", seen() !== paused);
    expect("flicker", "says which", $("#which").textContent === (seen() === "visible" ? "candidate" : "golden"));
    $("#run").click();
    await wait(620);
    expect("flicker", "runs again", seen() === paused && $("#run").textContent === "Pause");
    key("p");
  });

  await attempt("views", async () => {
    choose(failed.name);
    key("3");
    expect("views", "side by side", all(".pair figure").length === 2);
    key("4");
    expect("views", "difference", $(".stage img").src === failed.pictures.heat && $("#tab-heat").getAttribute("aria-selected") === "true");
    key("5");
    expect("views", "1:1", all(".pair img").length === 2 && $(".pair img").src === failed.crop.golden);
    const same = data.cases.find((one) => one.verdict === "same");
    choose(same.name);
    expect("views", "an equal pair has one picture", all(".stage img").length === 1 && !$(".tabs"));
  });

  await attempt("access", async () => {
    choose(failed.name);
    expect("access", "pictures have a text", all("img").every((one) => one.hasAttribute("alt")) && all(".stage img").every((one) => one.alt.includes(failed.name)));
    expect("access", "buttons have a name", all("button").every((one) => one.textContent.trim() || one.getAttribute("aria-label")));
    expect("access", "inputs have a name", all("input").every((one) => one.getAttribute("aria-label") || one.closest("label")));
    expect("access", "charts have a text", all('svg[role="img"]').every((one) => one.getAttribute("aria-label")));
    expect("access", "one heading of the first level", all("h1").length === 1);
    expect("access", "news is announced", $("#status").textContent.includes(failed.name));
    for (const theme of ["light", "dark"]) {
      document.documentElement.dataset.theme = theme;
      for (const selector of ["body", ".badge", ".case .why", ".reasons", "th", ".legend"]) {
        const ratio = contrast($(selector));
        expect("access", `${theme}: contrast of ${selector} is ${ratio.toFixed(1)}`, ratio >= 4.5);
      }
    }
  });

  // WCAG 2.1, 1.4.3: luminances of text and of what lies behind it.
  function contrast(node) {
    const light = (colour) => {
      const [r, g, b] = colour.match(/[\d.]+/g).map(Number).map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    let behind = node;
    while (behind.parentElement && /, 0\)$|transparent/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
    const [a, b] = [light(getComputedStyle(node).color), light(getComputedStyle(behind).backgroundColor)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }

  const out = document.createElement("pre");
  out.id = "driver-results";
  out.textContent = JSON.stringify(results);
  document.body.replaceChildren(out);
})();
