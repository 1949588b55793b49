// What the pages themselves say, in the reader's language. The table serves the page with its
// words in a block of data; a text without a translation stays English.

/** @type {Record<string, string>} */
const words = JSON.parse(document.getElementById("words")?.textContent ?? "{}");

/** The reader's language (ISO 639-1). */
export const language = document.documentElement.lang || "en";

/** For dates and numbers: in English as the browser writes them. */
export const locale = language === "en" ? undefined : language;

/**
 * A number with so many decimals, as people write it.
 *
 * @param {number} value
 * @param {number} decimals
 */
export function decimal(value, decimals) {
  return value.toLocaleString(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

const plural = new Intl.PluralRules(language);
/** @type {Record<number, string[]>} Forms of a noun after a number, in CLDR's order. */
const FORMS = { 2: ["one", "other"], 3: ["zero", "one", "other"] };

/**
 * A text of the page in the reader's language. `{name}` is a value, `{cards:card|cards}` a number
 * with its noun, in the forms that the language has.
 *
 * @param {string} english
 * @param {Record<string, string | number>} [values]
 */
export function t(english, values = {}) {
  return (words[english] ?? english).replace(/\{(\w+)(?::([^}]*))?\}/g, (_, name, forms) => {
    const value = values[name] ?? "";
    return forms ? `${value} ${formOf(Number(value), forms.split("|"))}` : String(value);
  });
}

/**
 * @param {number} count
 * @param {string[]} forms
 */
function formOf(count, forms) {
  const at = FORMS[forms.length].indexOf(plural.select(count));
  return forms[at < 0 ? forms.length - 1 : at];
}

/**
 * A move of a player as people say it: `stay low`.
 *
 * @param {string} action
 */
export function actionText(action) {
  return t(action.replaceAll("-", " "));
}

/**
 * An address of the table, asked in the reader's language.
 *
 * @param {string} address
 */
export function spoken(address) {
  if (language === "en") return address;
  return `${address}${address.includes("?") ? "&" : "?"}lang=${language}`;
}

/** Whether the reader asked for this language, rather than the page being set to it. */
const asked = new URLSearchParams(location.search).has("lang");

// Who asked for a language keeps it from page to page.
if (asked) {
  for (const pressed of ["click", "auxclick"]) {
    document.addEventListener(pressed, ({ target }) => {
      const link = target instanceof Element ? target.closest("a[href]") : null;
      if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return;
      const address = new URL(link.href);
      if (address.pathname === location.pathname && address.hash) return;
      address.searchParams.set("lang", language);
      link.href = address.href;
    }, { capture: true });
  }
}
