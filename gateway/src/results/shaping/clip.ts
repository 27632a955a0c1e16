import { isObject, type Json } from '../../operations/index.ts';
import { cutText } from '../../operations/text/cut-text.ts';

interface Bounds {
  readonly text: number;
  readonly members: number;
  readonly items: number;
  readonly depth: number;
}

/** From generous to bare; the first that fits is taken. */
const BOUNDS: readonly Bounds[] = [
  { text: 400, members: 60, items: 10, depth: 4 },
  { text: 120, members: 30, items: 4, depth: 3 },
  { text: 60, members: 15, items: 2, depth: 2 },
  { text: 30, members: 8, items: 1, depth: 1 },
];

/** A value small enough to be shown as a sample, at most `characters` of JSON; what was cut ends in `…`. */
export function clip(value: Json, characters: number): Json {
  if (JSON.stringify(value).length <= characters) return value;
  for (const bounds of BOUNDS) {
    const clipped = within(value, bounds, bounds.depth);
    if (JSON.stringify(clipped).length <= characters) return clipped;
  }
  return '…';
}

function within(value: Json, bounds: Bounds, depth: number): Json {
  if (typeof value === 'string') return shortText(value, bounds.text);
  if (Array.isArray(value)) {
    if (depth === 0) return '…';
    const items = value.slice(0, bounds.items).map((item) => within(item, bounds, depth - 1));
    return value.length > bounds.items ? [...items, '…'] : items;
  }
  if (!isObject(value)) return value;
  if (depth === 0) return '…';
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, bounds.members)
      .map(([name, member]) => [shortText(name, 64), within(member, bounds, depth - 1)]),
  );
}

export function shortText(text: string, length: number): string {
  return text.length <= length ? text : `${cutText(text, length)}…`;
}
