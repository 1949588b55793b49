// Light or dark as it was chosen on the wall (drawing/theme.js), before anything is drawn: these
// pages come whole from the pit, and one that is read anew would flicker otherwise.

{
  const kept = localStorage.getItem("tablectl.theme");
  const light = matchMedia("(prefers-color-scheme: light)").matches;
  const chosen = kept === "light" || kept === "dark" ? kept : light ? "light" : "dark";
  document.documentElement.dataset.theme = chosen;
}
