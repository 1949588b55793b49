// The note of a handover while it is written: this tab keeps it until it is signed. A proof of who
// is there, which lasts for minutes, a session that ends or a refusal takes no word of it.

const KEPT = "tablectl.handover.";
const note = document.getElementById("note");
const signed = document.querySelector("[data-signed-by]");

if (note instanceof HTMLTextAreaElement) {
  // Whoever comes to this tab next does not sign what somebody else wrote.
  const key = KEPT + note.dataset.by;
  note.value ||= sessionStorage.getItem(key) ?? "";
  note.addEventListener("input", () => sessionStorage.setItem(key, note.value));
} else if (signed instanceof HTMLElement) {
  sessionStorage.removeItem(KEPT + signed.dataset.signedBy);
}
