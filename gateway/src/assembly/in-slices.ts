/** Milliseconds of work before others get their turn. */
const SLICE_MS = 20;

/** Looks at one item after the other, which may take seconds altogether; calls go on meanwhile. */
export async function inSlices<T>(items: Iterable<T>, look: (item: T) => void): Promise<void> {
  let until = performance.now() + SLICE_MS;
  for (const item of items) {
    look(item);
    if (performance.now() < until) continue;
    await new Promise((resolve) => setImmediate(resolve));
    until = performance.now() + SLICE_MS;
  }
}
