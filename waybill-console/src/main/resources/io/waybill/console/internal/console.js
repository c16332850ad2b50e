"use strict";
// Without this script every page works; with it, times are local too, tables have a chart, and pages renew themselves.
(() => {
  const root = document.documentElement;

  // Beside UTC, where it differs.
  const local = new Intl.DateTimeFormat(undefined, {hour: "2-digit", minute: "2-digit", second: "2-digit", timeZoneName: "short"});
  function times(within) {
    for (const time of within.querySelectorAll("time[datetime]")) {
      const at = new Date(time.dateTime);
      if (at.getTimezoneOffset() !== 0 && !time.nextElementSibling?.classList.contains("local")) {
        const text = document.createElement("span");
        text.className = "local";
        text.textContent = " (" + local.format(at) + ")";
        time.after(text);
      }
    }
  }

  function isDark() {
    return root.dataset.theme === "dark"
        || (root.dataset.theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  }

  const theme = document.getElementById("theme");
  theme.hidden = false;
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    const path = location.pathname.replace(/\/console(\/.*)?$/, "/console");
    document.cookie = `waybill-theme=${root.dataset.theme}; path=${path}; max-age=31536000; samesite=lax`;
    draw(true);
  });

  // A table of numbers: its first column is a time, each other one a line.
  let chart = null;
  // Without its padding and its border, which an empty one has not yet.
  function width(place) {
    return place.offsetWidth - 18;
  }
  function draw(anew) {
    const table = document.getElementById("numbers");
    const place = document.getElementById("chart");
    if (!table || !place || table.tBodies[0].rows.length < 2) {
      return;
    }
    const heads = [...table.tHead.rows[0].cells].map(cell => cell.textContent);
    const data = heads.map((head, i) => [...table.tBodies[0].rows].map(row =>
        i === 0 ? Date.parse(row.cells[0].querySelector("time").dateTime) / 1000 : Number(row.cells[i].dataset.value)));
    if (chart && !anew) {
      chart.setData(data);
      return;
    }
    chart?.destroy();
    const color = name => getComputedStyle(root).getPropertyValue(name).trim();
    const axis = {stroke: color("--quiet"), grid: {stroke: color("--line"), width: 1}, ticks: {stroke: color("--line")}};
    chart = new uPlot({
      width: width(place), height: 220,
      tzDate: seconds => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      series: [{value: "{HH}:{mm}"}, ...heads.slice(1).map((label, i) => (
          {label, stroke: color(`--chart-${i + 1}`), width: 2, scale: label.includes("(s)") ? "s" : "y", points: {show: false}}))],
      axes: [{...axis, values: "{HH}:{mm}"}, {...axis, size: 60}, {...axis, scale: "s", side: 1, grid: {show: false}, values: (u, all) => all.map(v => v + " s")}],
      scales: {s: {range: (u, min, max) => [0, Math.max(max, 1)]}, y: {range: (u, min, max) => [0, Math.max(max, 1)]}},
    }, data, place);
  }
  addEventListener("resize", () => chart?.setSize({width: width(document.getElementById("chart")), height: 220}));

  // The server does not know by which address it was reached; nothing in it may end the quotes.
  const base = new URL(root.dataset.root, location.href).href.replace(/[/]$/, "")
      .replace(/[$`\\"!]/g, each => "%" + each.charCodeAt(0).toString(16));
  for (const text of document.querySelectorAll("#requests pre")) {
    text.textContent = text.textContent.replace("$WAYBILL_URL", () => base);
  }

  // A command to copy.
  document.addEventListener("click", event => {
    const button = event.target.closest("[data-copy]");
    const text = button?.parentElement.querySelector("pre");
    if (text && navigator.clipboard) {
      // The reader writes what is asked for: a placeholder would be run as it is.
      const copied = text.cloneNode(true);
      copied.querySelectorAll("[data-asked]").forEach(each => each.remove());
      navigator.clipboard.writeText(copied.textContent).then(() => { button.textContent = "Copied"; });
    } else if (text) {
      getSelection().selectAllChildren(text);
    }
  });

  const stale = document.getElementById("stale");
  function say(text) {
    stale.textContent = text;
    stale.hidden = text === "";
  }
  function old(why) {
    say("These numbers are old: the server " + why + ". It is asked again.");
  }
  document.body.addEventListener("htmx:afterRequest", event => {
    const status = event.detail.xhr.status;
    if (status === 401) {
      // The login leads back to this page.
      location.reload();
    } else if (!event.detail.successful) {
      old(status ? "answered " + status : "does not answer");
    } else {
      say("");
    }
  });
  document.body.addEventListener("htmx:afterSwap", event => {
    times(document.body);
    draw(false);
  });
  // A part of the page comes by a stream; while nothing comes, the page asks for it.
  const streamed = document.querySelector("[data-stream]");
  const SILENT = 5000;
  const LATER = 60000;
  let stream = null;
  let heard = 0;
  function hear() {
    heard = Date.now();
    say("");
  }
  function stop() {
    stream?.close();
    stream = null;
    heard = 0;
  }
  function listen() {
    if (!streamed || stream || document.hidden) {
      return;
    }
    const mine = stream = new EventSource(streamed.dataset.stream);
    // There is no place, or a proxy keeps events back.
    const giveUp = () => {
      if (stream === mine) {
        stop();
        setTimeout(listen, LATER);
      }
    };
    mine.onmessage = event => {
      hear();
      htmx.swap(streamed, event.data, {swapStyle: "innerHTML"});
    };
    mine.addEventListener("same", hear);
    mine.addEventListener("problem", event => {
      hear();
      old("answered " + event.data);
    });
    mine.onerror = () => mine.readyState === EventSource.CLOSED && giveUp();
    setTimeout(() => heard === 0 && giveUp(), 2 * SILENT);
  }
  document.addEventListener("visibilitychange", () => document.hidden ? stop() : listen());
  listen();
  // A page that nobody looks at asks for nothing.
  document.body.addEventListener("htmx:confirm", event => {
    if (document.hidden || (event.target === streamed && Date.now() - heard < SILENT)) {
      event.preventDefault();
    }
  });

  times(document.body);
  draw(true);
  // Where the navigation is one line; scrollIntoView would move where the first tab leads.
  const here = document.querySelector("nav [aria-current]");
  if (here) {
    const nav = here.closest("nav");
    nav.scrollLeft = here.offsetLeft - (nav.clientWidth - here.offsetWidth) / 2;
  }
})();
