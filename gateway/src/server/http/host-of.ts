/** The host that a request names, with its port, in small letters: what it was sent to, as far as itself says. */
export function hostOf({ headers, url }: Request): string {
  return (headers.get('host') ?? new URL(url).host).toLowerCase();
}
