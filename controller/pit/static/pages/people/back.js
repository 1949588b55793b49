// A page that somebody comes back to is asked for anew: a browser may have kept it whole, and whoever
// signed out, or whose rights changed, would find what stood there before.

addEventListener("pagehide", ({ persisted }) => {
  // Until then nothing of it is seen.
  if (persisted) document.documentElement.hidden = true;
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});
