/** Where something is read from, for people: of an address neither user nor query, which may hold a secret. */
export function shownLocation(location: string): string {
  if (!/^https?:/i.test(location)) return location;
  const url = URL.parse(location);
  return url === null ? 'the address' : `${url.origin}${url.pathname}`;
}
