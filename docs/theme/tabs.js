// Shows one language of an example at a time, and lets the keyboard reach blocks that scroll. Without this script, all
// languages are shown, each below its label.

(() => {
  "use strict";

  const STORED = "payspec-language";

  function stored() {
    try {
      return localStorage.getItem(STORED);
    } catch {
      return null; // storage is disabled
    }
  }

  function store(label) {
    try {
      localStorage.setItem(STORED, label);
    } catch {
      // The choice holds for this page only.
    }
  }

  const groups = [];

  function build(group, number) {
    const panels = [...group.querySelectorAll(":scope > .tab")];
    const list = document.createElement("div");
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", "Language");
    const tabs = panels.map((panel, index) => {
      const tab = document.createElement("button");
      tab.type = "button";
      tab.textContent = panel.dataset.label;
      tab.id = `tab-${number}-${index}`;
      tab.setAttribute("role", "tab");
      panel.id = `panel-${number}-${index}`;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tab.id);
      tab.setAttribute("aria-controls", panel.id);
      tab.addEventListener("click", () => selectAll(panel.dataset.label));
      list.append(tab);
      return tab;
    });
    list.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const at = tabs.indexOf(event.target);
      if (step === undefined || at < 0) return;
      event.preventDefault();
      event.stopPropagation(); // the book turns pages with these keys
      const next = (at + step + tabs.length) % tabs.length;
      selectAll(panels[next].dataset.label);
      tabs[next].focus();
    });
    group.prepend(list);
    group.classList.add("ready");
    groups.push({ panels, tabs });
  }

  function selectAll(label) {
    store(label);
    for (const { panels, tabs } of groups) {
      const found = panels.findIndex((panel) => panel.dataset.label === label);
      const selected = Math.max(found, 0);
      panels.forEach((panel, index) => {
        panel.hidden = index !== selected;
        tabs[index].setAttribute("aria-selected", String(index === selected));
        tabs[index].tabIndex = index === selected ? 0 : -1;
      });
    }
    focusScrollable();
  }

  /** Lets the keyboard reach what scrolls sideways. */
  function focusScrollable() {
    for (const element of document.querySelectorAll("main pre > code, main .table-wrapper")) {
      if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
    }
  }

  document.querySelectorAll(".tabs").forEach(build);
  if (groups.length > 0) selectAll(stored() ?? "Rust");
  window.addEventListener("load", focusScrollable);
  window.addEventListener("resize", focusScrollable);
})();
