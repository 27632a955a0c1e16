/** The three date forms of RFC 9110 §5.6.7; anything else that Date.parse would take is no HTTP date. */
const HTTP_DATE =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

/** Longer is a mistake of the service's: nobody is told to wait for longer than a month. */
const LONGEST_MS = 30 * 24 * 3_600_000;

/** Retry-After (RFC 9110 §10.2.3) in milliseconds from `now`, from 0 to a month; undefined when absent or unreadable. */
export function retryAfterMs(
  headers: Readonly<Record<string, string | undefined>> | undefined,
  now: number,
): number | undefined {
  const value = headerOf(headers, 'retry-after')?.trim();
  const asked = value === undefined ? undefined : askedMs(value, now);
  return asked === undefined ? undefined : Math.min(asked, LONGEST_MS);
}

function askedMs(value: string, now: number): number | undefined {
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  if (!HTTP_DATE.test(value)) return undefined;
  const date = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function headerOf(
  headers: Readonly<Record<string, string | undefined>> | undefined,
  name: string,
): string | undefined {
  if (headers === undefined) return undefined;
  if (headers[name] !== undefined) return headers[name];
  const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
  return key === undefined ? undefined : headers[key];
}
