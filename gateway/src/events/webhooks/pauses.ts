/** Pauses after the first failed attempts, milliseconds: seconds, minutes, hours; the last one repeats. */
const PAUSES = [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000];

/** Before attempt `failed + 1`: never less than half of its step, so that hooks that fail together do not come together. */
export function pauseAfter(failed: number, retryAfterMs = 0, random: () => number = Math.random): number {
  const step = PAUSES[Math.min(failed, PAUSES.length) - 1] ?? PAUSES[0]!;
  const longest = PAUSES.at(-1)!;
  return Math.max(Math.min(retryAfterMs, longest), Math.round(step * (0.5 + random() / 2)));
}
