/** Until it happened or the time has passed, milliseconds. */
export async function withinTime(milliseconds: number, happened: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, milliseconds);
  try {
    await Promise.race([happened, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
