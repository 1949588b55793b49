"""What an eye would check on a page: nothing cut off, nothing scrolls, everything can be read."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

_CUT_OFF = """() => {
  const slack = 1.5;
  const found = [];
  const root = document.documentElement;
  if (root.scrollHeight > innerHeight + slack || root.scrollWidth > innerWidth + slack)
    found.push(`the page scrolls: ${root.scrollWidth} x ${root.scrollHeight}`);
  for (const node of document.querySelectorAll('body *:not(svg, svg *)')) {
    const style = getComputedStyle(node);
    const name = node.id ? '#' + node.id : node.className || node.tagName;
    if (style.display === 'none' || !node.checkVisibility()) continue;
    if (node.closest('.visually-hidden, [data-may-cut]')) continue;
    const hides = style.overflowX !== 'visible' || style.overflowY !== 'visible';
    if (hides && (node.scrollHeight > node.clientHeight + slack
                  || node.scrollWidth > node.clientWidth + slack))
      found.push(`${name} is cut: ${node.scrollWidth} x ${node.scrollHeight} in `
                 + `${node.clientWidth} x ${node.clientHeight}`);
    const box = node.getBoundingClientRect();
    if (box.width && (box.right > innerWidth + slack || box.bottom > innerHeight + slack
                      || box.left < -slack || box.top < -slack))
      found.push(`${name} leaves the screen`);
  }
  return found;
}"""

# WCAG 2.2 contrast of every piece of text against the least kind ground behind it.
_CONTRASTS = """() => {
  const colours = (text) => (text.match(/rgba?\\([^)]*\\)/g) || []).map((one) => {
    const [r, g, b, a = 1] = one.match(/[\\d.]+/g).map(Number);
    return { r, g, b, a };
  });
  const over = (top, under) => ({
    r: top.r * top.a + under.r * (1 - top.a), g: top.g * top.a + under.g * (1 - top.a),
    b: top.b * top.a + under.b * (1 - top.a), a: 1,
  });
  const light = ({ r, g, b }) => {
    const part = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const ratio = (one, two) => {
    const [high, low] = [light(one), light(two)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const grounds = (node) => {
    const layers = [];
    for (let each = node; each; each = each.parentElement) {
      const style = getComputedStyle(each);
      const image = colours(style.backgroundImage);
      const plain = colours(style.backgroundColor)[0];
      if (image.length) layers.push(image);
      if (image.length && image.every(({ a }) => a === 1)) break;
      if (plain && plain.a > 0) { layers.push([plain]); if (plain.a === 1) break; }
    }
    let found = [{ r: 9, g: 12, b: 14, a: 1 }];
    for (const layer of layers.reverse())
      found = layer.flatMap((top) => found.map((under) => over(top, under)));
    return found;
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || node.closest('svg, .visually-hidden')) continue;
    if (!node.checkVisibility()) continue;
    const ink = colours(getComputedStyle(node).color)[0];
    const worst = Math.min(...grounds(node).map((ground) => ratio(over(ink, ground), ground)));
    found.push({ text: walker.currentNode.data.trim().slice(0, 40), ratio: worst,
                 px: parseFloat(getComputedStyle(node).fontSize) });
  }
  return found;
}"""


def cut_off(page: Page) -> list[str]:
    """What scrolls, is clipped or lies outside the screen."""
    page.wait_for_load_state()
    found: list[str] = page.evaluate(_CUT_OFF)
    return found


def contrasts(page: Page) -> list[dict[str, Any]]:
    """Each piece of text with its contrast to the ground and its size in px."""
    page.wait_for_load_state()  # a link was followed: words may be there before their colours
    found: list[dict[str, Any]] = page.evaluate(_CONTRASTS)
    assert found, "the page shows no text"
    return found


def unreadable(page: Page, least: float = 4.5) -> list[dict[str, Any]]:
    """Text under WCAG AA."""
    return [each for each in contrasts(page) if each["ratio"] < least]


def px(page: Page, selector: str) -> float:
    """The font size of the first element of that kind, in px."""
    size = page.locator(selector).first.evaluate("node => getComputedStyle(node).fontSize")
    return float(str(size).removesuffix("px"))
