import type { Page } from 'playwright-core';

/** Goes by Tab alone from the top of the page until it begins anew, and says what is wrong with the way. */
export async function tabWalk(page: Page): Promise<readonly string[]> {
  await page.evaluate(WALK);
  for (let pressed = 0; pressed < 400; pressed++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => (window as unknown as { tabWalk: TabWalk }).tabWalk.look())) break;
  }
  return page.evaluate(() => (window as unknown as { tabWalk: TabWalk }).tabWalk.faults());
}

interface TabWalk {
  /** Looks at what has the focus; true: the walk is over. */
  look(): boolean;
  faults(): string[];
}

const WALK = `{
  const stops = [];
  const faults = [];
  let over = false;
  const nameOf = (element) => element.tagName.toLowerCase() + ' “' +
    (element.getAttribute('aria-label') ?? (element.textContent.trim() || element.name || element.id)).slice(0, 60) + '”';
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) && element.getClientRects().length > 0;
  const look = () => {
    const element = document.activeElement;
    if (element === document.body || element === null || element === stops[0]?.element) return (over = stops.length > 0);
    // parts of a date
    if (element === stops.at(-1)?.element) return false;
    if (stops.some((stop) => stop.element === element)) {
      faults.push('caught at ' + nameOf(element));
      return (over = true);
    }
    const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(element);
    const hasOutline = outlineStyle !== 'none' && parseFloat(outlineWidth) > 0 && !/, 0\\)$/.test(outlineColor);
    if (!hasOutline && boxShadow === 'none') faults.push('no ring at ' + nameOf(element));
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + Math.min(box.width, innerWidth) / 2, box.top + Math.min(box.height, 20) / 2];
    const at = document.elementFromPoint(x, y);
    if (!isShown(element) || at === null || !(element.contains(at) || at.contains(element)))
      faults.push('not seen: ' + nameOf(element) + ' below ' + (at === null ? 'the edge' : nameOf(at)));
    const top = box.top + scrollY;
    const last = stops.at(-1);
    const isBefore = (before) => element.compareDocumentPosition(before) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (last !== undefined && (isBefore(last.element) || (top + box.height <= last.top && box.right <= last.left)))
      faults.push('back from ' + nameOf(last.element) + ' to ' + nameOf(element));
    stops.push({ element, top, left: box.left });
    return false;
  };
  window.tabWalk = {
    look,
    faults: () => {
      if (!over) faults.push('no end');
      const places = document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]');
      for (const place of places) {
        const isOther = place.disabled || place.tabIndex < 0 || (place.type === 'radio' && !place.checked);
        if (!isOther && isShown(place) && !stops.some(({ element }) => element === place)) faults.push('not reached: ' + nameOf(place));
      }
      return faults;
    },
  };
  document.activeElement?.blur();
}`;
