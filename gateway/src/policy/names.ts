/** The names among what should be a list of names; what is none names nobody. */
export function namesOf(names: unknown): readonly string[] {
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/** For sentences. */
export function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
