/** When a time of a day is where the browser is, ISO 8601; so many milliseconds, and days, later. */
export function momentOf(day: string, time: string, more = 0, later = 0): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return new Date(new Date(year, month - 1, date + later, hours, minutes).getTime() + more).toISOString();
}

/** When a day begins where the browser is, ISO 8601; so many days and milliseconds later. */
export function startOf(day: string, later = 0, more = 0): string {
  return day === '' ? '' : momentOf(day, '00:00', more, later);
}
