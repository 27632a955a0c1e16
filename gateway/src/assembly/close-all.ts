/** One after the other. What fails keeps nothing behind it open; rejects with the first error once all were tried. */
export async function closeAll(steps: ReadonlyArray<() => unknown>): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
