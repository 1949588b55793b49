// Whoever types a password may look at it: beside each field stands a button that shows it.

for (const field of document.querySelectorAll('input[type="password"]')) {
  if (!(field instanceof HTMLInputElement)) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Show what is typed";
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => {
    const shown = field.type === "password";
    field.type = shown ? "text" : "password";
    button.setAttribute("aria-pressed", String(shown));
  });
  // What is sent is a password: browsers keep what stood in a field of text.
  field.form?.addEventListener("submit", () => {
    field.type = "password";
  });
  field.after(button);
}
