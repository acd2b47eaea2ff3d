(() => {
  "use strict";
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const live = document.getElementById("live");
  document.documentElement.classList.remove("noscript");

  // Copy a command. A page opened from a file may lack the clipboard interface, so the text is then selected.
  document.addEventListener("click", async (event) => {
    const button = event.target.closest(".cmd button");
    if (!button) return;
    const code = button.parentElement.querySelector("code");
    let said = "Copied";
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      getSelection().selectAllChildren(code);
      said = "Selected";
    }
    button.textContent = said;
    live.textContent = `${said}: ${code.textContent}`;
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });

  // The map: one tab stop a plane, arrows inside it; what has the focus or the pointer is said below.
  const read = document.getElementById("read");
  const rest = read ? read.textContent : "";
  const say = (cell) => { if (read) read.textContent = cell ? cell.getAttribute("aria-label") : rest; };
  for (const plane of all(".plane")) {
    const rows = all("tbody tr", plane).map((row) => all("td", row).map((place) => place.querySelector(".cell")))
      .filter((row) => row.some(Boolean));
    const cells = rows.flat().filter(Boolean);
    const enter = (cell) => cells.forEach((other) => { other.tabIndex = other === cell ? 0 : -1; });
    if (cells.length) enter(cells.find((cell) => !cell.classList.contains("good")) || cells[0]);
    const step = (cell, key) => {
      let y = rows.findIndex((row) => row.includes(cell));
      let x = rows[y].indexOf(cell);
      const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
      if (key === "Home") return rows[y].find(Boolean);
      if (key === "End") return rows[y].filter(Boolean).at(-1);
      if (!move) return null;
      do {
        x += move[0];
        y += move[1];
        if (!rows[y] || x < 0 || x >= rows[y].length) return null;
      } while (!rows[y][x]);
      return rows[y][x];
    };
    plane.addEventListener("keydown", (event) => {
      const cell = event.target.closest(".cell");
      if (!cell || event.altKey || event.ctrlKey || event.metaKey) return;
      const next = step(cell, event.key);
      if (!next) return;
      event.preventDefault();
      enter(next);
      next.focus();
    });
    plane.addEventListener("focusin", (event) => say(event.target.closest(".cell")));
    plane.addEventListener("focusout", () => say(null));
    plane.addEventListener("pointerover", (event) => say(event.target.closest(".cell")));
    plane.addEventListener("pointerleave", () => say(null));
  }

  // The filter of the findings; its state is an address: #findings?sev=error&q=leaf
  const form = document.getElementById("filters");
  if (form) {
    const rows = all("#finding-rows tr");
    const shown = document.getElementById("shown");
    const fields = ["q", "sev", "rule", "plane"];
    const apply = () => {
      const value = Object.fromEntries(fields.map((name) => [name, form.elements[name]?.value ?? ""]));
      const words = value.q.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !(words.every((word) => text.includes(word))
          && (!value.sev || row.dataset.sev === value.sev)
          && (!value.rule || row.dataset.rule === value.rule)
          && (!value.plane || row.dataset.planes.split(" ").includes(value.plane)));
        count += row.hidden ? 0 : 1;
      }
      for (const cell of all(".plane .cell")) {
        const text = cell.getAttribute("aria-label").toLowerCase();
        cell.classList.toggle("dim", !words.every((word) => text.includes(word)) && count < rows.length);
      }
      shown.textContent = `${count} of ${rows.length} causes`;
    };
    const toAddress = () => {
      const set = new URLSearchParams(fields.map((name) => [name, form.elements[name]?.value ?? ""]).filter(([, v]) => v));
      history.replaceState(null, "", set.size ? `#findings?${set}` : "#findings");
    };
    const fromAddress = () => {
      if (!location.hash.startsWith("#findings?")) return;
      const set = new URLSearchParams(location.hash.slice("#findings?".length));
      for (const name of fields) if (form.elements[name]) form.elements[name].value = set.get(name) ?? "";
      apply();
      document.getElementById("findings").scrollIntoView();
    };
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => { apply(); toAddress(); });
    form.addEventListener("reset", () => setTimeout(() => { apply(); toAddress(); }));
    addEventListener("hashchange", fromAddress);
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
      event.preventDefault();
      form.elements.q.focus();
    });
    apply();
    fromAddress();
  }

  // On paper nothing can be unfolded.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("details:not([open])");
    opened.forEach((fold) => { fold.open = true; });
  });
  addEventListener("afterprint", () => opened.forEach((fold) => { fold.open = false; }));
})();
