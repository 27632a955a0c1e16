/** Rest between two rounds, milliseconds: what happens many times a second is read twice a second. */
const REST_MS = 500;
/** A round that takes longer than that, milliseconds, no longer keeps the next one from beginning. */
const PATIENCE_MS = 10_000;

/**
 * Does the work at once, and once more behind it where it was asked for again meanwhile: reading begins after the last
 * thing that happened, and comes to its end however fast more happens.
 */
export function oneAtATime(work: () => Promise<unknown>): () => void {
  let busy = false;
  let again = false;
  const round = async () => {
    busy = true;
    again = false;
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, PATIENCE_MS);
    await Promise.race([work().catch(() => undefined), late.promise]);
    clearTimeout(timer);
    setTimeout(() => {
      busy = false;
      if (again) void round();
    }, REST_MS);
  };
  return () => {
    if (busy) again = true;
    else void round();
  };
}
