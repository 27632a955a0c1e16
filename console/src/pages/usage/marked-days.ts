/** Seconds. */
export const DAY = 86_400;

/** Days of a chart whose names are written, `every` seconds: the last one always, which mostly is today. */
export function markedDays(days: ArrayLike<number>, every: number): number[] {
  const marked: number[] = [];
  const first = days[0] ?? 0;
  for (let day = days[days.length - 1] ?? -1; day >= first; day -= every) marked.unshift(day);
  return marked;
}
