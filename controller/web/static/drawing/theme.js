// Light or dark: as the machine is, or as the reader of a page wants it. Displays stay dark.

import { el } from "./dom.js";

const KEPT = "tablectl.theme";
/** @type {Record<string, string>} */
const NAMES = { auto: "Auto", light: "Light", dark: "Dark" };

/** What was chosen in this browser. */
function chosen() {
  const kept = localStorage.getItem(KEPT) ?? "auto";
  return kept in NAMES ? kept : "auto";
}

/** @param {string} theme */
function use(theme) {
  document.documentElement.dataset.theme = theme;
}

/** Shows the page as it was chosen in this browser. */
export function useTheme() {
  use(chosen());
}

/** The choice, as a labelled list; the page follows it at once, and other pages of this browser. */
export function themeChoice() {
  const options = Object.entries(NAMES).map(([value, name]) => el("option", { value }, name));
  const list = el("select", { class: "small", "aria-label": "Light or dark" }, ...options);
  list.value = chosen();
  useTheme();
  list.addEventListener("change", () => {
    localStorage.setItem(KEPT, list.value);
    use(list.value);
  });
  addEventListener("storage", ({ key }) => {
    if (key !== KEPT) return;
    list.value = chosen();
    useTheme();
  });
  return list;
}
