/** A `Date` is whole seconds (RFC 9110, section 5.6.7), cut off. */
const SECOND_MS = 1_000;

let ahead = 0;

/**
 * An answer came whose `Date` is this, to what was asked at `asked`: the gateway's clock then stood between the two. Of
 * what is possible the nearest to what was believed counts, so a slow answer changes nothing.
 */
export function heardDate(date: string | null, asked: number): void {
  const said = Date.parse(date ?? '');
  if (Number.isNaN(said)) return;
  ahead = Math.min(Math.max(ahead, said - Date.now()), said + SECOND_MS - asked);
}

/** What the gateway's clock shows, milliseconds since the epoch: times that the gateway wrote are held against it. */
export function gatewayNow(): number {
  return Date.now() + ahead;
}
