/** What was thrown, in its own words; whether it is an error or not. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
