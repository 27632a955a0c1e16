/** When a time of a day is where the browser is, ISO 8601; so many milliseconds later. */
export function momentOf(day: string, time: string, more = 0): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return new Date(new Date(year, month - 1, date, hours, minutes).getTime() + more).toISOString();
}

/** When a day begins where the browser is, ISO 8601; so many days and milliseconds later. */
export function startOf(day: string, later = 0, more = 0): string {
  if (day === '') return '';
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return new Date(new Date(year, month - 1, date + later).getTime() + more).toISOString();
}
