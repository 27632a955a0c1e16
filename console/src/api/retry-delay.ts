/** Until what failed for the so many'th time, from 0, is tried again; milliseconds. */
export function retryDelay(count: number): number {
  return Math.min(500 * 2 ** count, 5_000);
}
