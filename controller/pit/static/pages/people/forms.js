// A form that is sent by a double press is sent once: the second answer would take the place of the
// first, and with it of what is shown only once.

/** A form may be sent again after so long: its first answer did not come. */
const AGAIN_MS = 5000;

addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== "post") return;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "true";
  setTimeout(() => delete form.dataset.sent, AGAIN_MS);
});
