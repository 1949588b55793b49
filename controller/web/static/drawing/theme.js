// Light or dark: as the machine is, or as the reader of a page wants it. Displays stay dark.

import { el } from "./dom.js";
import { t } from "./words.js";

const KEPT = "tablectl.theme";
/** @type {Record<string, string>} */
const NAMES = { auto: t("Auto"), light: t("Light"), dark: t("Dark") };

/** What was chosen in this browser. */
function chosen() {
  const kept = localStorage.getItem(KEPT) ?? "auto";
  return kept in NAMES ? kept : "auto";
}

const machine = matchMedia("(prefers-color-scheme: light)");

/** Shows the page as it was chosen in this browser. */
export function useTheme() {
  const light = chosen() === "auto" ? machine.matches : chosen() === "light";
  document.documentElement.dataset.theme = light ? "light" : "dark";
}

/** The choice, as a labelled list; the page follows it at once, and other pages of this browser. */
export function themeChoice() {
  const options = Object.entries(NAMES).map(([value, name]) => el("option", { value }, name));
  const list = el("select", { class: "small", "aria-label": t("Light or dark") }, ...options);
  list.value = chosen();
  useTheme();
  list.addEventListener("change", () => {
    localStorage.setItem(KEPT, list.value);
    useTheme();
  });
  machine.addEventListener("change", useTheme);
  addEventListener("storage", ({ key }) => {
    if (key !== KEPT) return;
    list.value = chosen();
    useTheme();
  });
  return list;
}
