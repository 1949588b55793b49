"""Measures a page as an eye would, picture after picture in one load: cut, overlaps, too small."""

from __future__ import annotations

from typing import Any, Final

from playwright.sync_api import Page

#: What a dealer can read, and hit, on any screen, in CSS px.
LEAST_TEXT_PX: Final = 18
LEAST_TARGET_PX: Final = 44

#: Takes the place of the line to the table: the test sends the pictures.
FEED: Final = """
const asked = window.fetch.bind(window);
window.fetch = (url, options) =>
  String(url).startsWith('/events/')
    ? Promise.resolve(new Response(beats())) : asked(url, options);
const beat = () =>
  new TextEncoder().encode(`event: beat\\ndata: {"now_ms": ${Date.now()}}\\n\\n`);
const beats = () => new ReadableStream({
  start: (line) => setInterval(() => line.enqueue(beat()), 500),
});
"""

MEASURE: Final = """
window.__measure = ({ leastText, leastTarget, scrolls }) => {
  const slack = 1.5, found = [];
  const root = document.documentElement;
  const open = document.querySelector('dialog[open]');
  const within = open ?? document.body;
  const nameOf = (node) => {
    const own = node.id ? '#' + node.id : '.' + String(node.className).split(' ')[0];
    const text = node.textContent.trim().slice(0, 28);
    return `${own} "${text}"`;
  };
  if (root.scrollWidth > innerWidth + slack) found.push(`the page is ${root.scrollWidth} wide`);
  if (!scrolls && !open && root.scrollHeight > innerHeight + slack)
    found.push(`the page scrolls: ${root.scrollHeight}`);
  const shown = (node) => node.checkVisibility({ visibilityProperty: true })
    && !node.closest('svg, .visually-hidden, [inert]');
  for (const node of within.querySelectorAll('*:not(svg, svg *)')) {
    if (!shown(node)) continue;
    const style = getComputedStyle(node);
    const hides = style.overflowX !== 'visible' || style.overflowY !== 'visible';
    // What may scroll, or says by three dots that it is cut.
    const mayScroll = node.closest('[data-may-cut]') || style.textOverflow === 'ellipsis';
    if (hides && !mayScroll && (node.scrollHeight > node.clientHeight + slack
                                || node.scrollWidth > node.clientWidth + slack))
      found.push(`cut: ${nameOf(node)} ${node.scrollWidth}x${node.scrollHeight} in `
                 + `${node.clientWidth}x${node.clientHeight}`);
    const box = node.getBoundingClientRect();
    if (box.width && !mayScroll && (box.right > innerWidth + slack || box.left < -slack
        || (!scrolls && (box.bottom > innerHeight + slack || box.top < -slack))))
      found.push(`outside: ${nameOf(node)}`);
    const target = node.matches('button, a[href], input, select, textarea, summary');
    // A box to tick is ticked by a touch of its label too.
    const label = node.matches('[type="checkbox"], [type="radio"]') && node.closest('label');
    const hit = label ? label.getBoundingClientRect() : box;
    if (target && box.width && (hit.width < leastTarget - 0.5 || hit.height < leastTarget - 0.5))
      found.push(`target: ${nameOf(node)} ${Math.round(box.width)}x${Math.round(box.height)}`);
  }
  const touched = [...within.querySelectorAll('button, a[href], input, select, textarea')]
    .filter((node) => shown(node) && !node.closest('[data-may-cut]'))
    .map((node) => [node, node.getBoundingClientRect()])
    .filter(([, box]) => box.width);
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  for (const [at, [one, a]] of touched.entries())
    for (const [two, b] of touched.slice(at + 1))
      if (over(a, b) && !one.contains(two) && !two.contains(one))
        found.push(`over each other: ${nameOf(one)} and ${nameOf(two)}`);
  const texts = [];
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement;
    if (!node.data.trim() || !shown(parent)) continue;
    const px = parseFloat(getComputedStyle(parent).fontSize);
    if (px < leastText - 0.05) found.push(`small: ${nameOf(parent)} ${px.toFixed(1)} px`);
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      // Lines are higher than their letters.
      const air = box.height * 0.18;
      const dots = getComputedStyle(parent).textOverflow === 'ellipsis';
      const right = dots ? Math.min(box.right, parent.getBoundingClientRect().right) : box.right;
      texts.push({ node, parent, left: box.left, right,
                   top: box.top + air, bottom: box.bottom - air });
      if (!parent.closest('[data-may-cut]'))
        for (const [other, covers] of touched)
          if (over(texts.at(-1), covers) && !other.contains(parent) && !parent.contains(other))
            found.push(`under a key: ${nameOf(parent)} by ${nameOf(other)}`);
      const key = parent.closest('.key, .pick, button');
      if (key && getComputedStyle(key).textOverflow !== 'ellipsis') {
        const own = key.getBoundingClientRect();
        if (box.left < own.left - slack || box.right > own.right + slack
            || box.top + air < own.top - slack || box.bottom - air > own.bottom + slack)
          found.push(`out of its key: ${nameOf(parent)}`);
      }
    }
  }
  for (let one = 0; one < texts.length; one++)
    for (let two = one + 1; two < texts.length; two++) {
      const a = texts[one], b = texts[two];
      if (a.node === b.node) continue;
      if (over(a, b) && !a.parent.closest('[data-may-cut]') && !b.parent.closest('[data-may-cut]'))
        found.push(`overlap: ${nameOf(a.parent)} and ${nameOf(b.parent)}`);
    }
  return [...new Set(found)];
};
window.__walk = async (script, views, limits) => {
  const { draw } = await import(script);
  return views.map((view) => {
    draw(view);
    return window.__measure(limits);
  });
};
"""


def install(page: Page) -> None:
    """Makes every page that this tab opens one that can be fed and measured."""
    page.add_init_script(FEED + MEASURE)


def walk(
    page: Page, script: str, views: list[dict[str, Any]], *, scrolls: bool = False
) -> list[list[str]]:
    """What is wrong with each picture, drawn one after the other by the page's own `script`."""
    limits = {
        "leastText": LEAST_TEXT_PX, "leastTarget": LEAST_TARGET_PX, "scrolls": scrolls,
    }  # fmt: skip
    found: list[list[str]] = page.evaluate(
        "([script, views, limits]) => window.__walk(script, views, limits)",
        [f"/static/pages/{script}/{script}.js", views, limits],
    )
    return found


def measure(page: Page, *, scrolls: bool = False, text_px: float = LEAST_TEXT_PX) -> list[str]:
    """What is wrong with what the page shows now, an open dialog alone where one is."""
    limits = {"leastText": text_px, "leastTarget": LEAST_TARGET_PX, "scrolls": scrolls}
    found: list[str] = page.evaluate(
        f"limits => {{ {MEASURE} return window.__measure(limits); }}", limits
    )
    return found
