// Passkeys: signing in by one, and adding one. Without a script the password does.

import { at, atKind } from "../../drawing/dom.js";

const said = at("said");

/**
 * @param {string} path
 * @param {unknown} body
 */
async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.detail);
  return found;
}

async function signIn() {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    await post("/sign-in/passkey/begin", {}),
  );
  const made = await navigator.credentials.get({ publicKey });
  if (!(made instanceof PublicKeyCredential)) return;
  await post("/sign-in/passkey", made.toJSON());
  // The address was checked by the pit when it made the page.
  location.assign(atKind("next", HTMLInputElement).value);
}

async function add() {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    await post("/passkeys/begin", {}),
  );
  const made = await navigator.credentials.create({ publicKey });
  if (!(made instanceof PublicKeyCredential)) return;
  await post("/passkeys/add", made.toJSON());
  location.reload();
}

/**
 * @param {string} id
 * @param {() => Promise<void>} act
 */
function offer(id, act) {
  const button = document.getElementById(id);
  if (!(button instanceof HTMLButtonElement)) return;
  // An address of numbers is nobody's name: browsers have no passkeys there.
  if (!("PublicKeyCredential" in window) || /^[\d.]+$|^\[/u.test(location.hostname)) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    said.textContent = "";
    act().catch((error) => {
      const text = error instanceof DOMException ? "No passkey was given." : String(error.message);
      said.textContent = text;
    });
  });
}

offer("passkey", signIn);
offer("add-passkey", add);
