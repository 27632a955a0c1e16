/** Where a person was before signing in: a page of this console, and nothing else that stands in an address. */
export function wayBack(search: string, origin: string): string {
  const given = new URLSearchParams(search).get('back');
  if (given === null || !given.startsWith('/')) return '/calls';
  const url = URL.parse(given, origin);
  if (url === null || url.origin !== origin || url.pathname.startsWith('/sign-in')) return '/calls';
  // `/.//host` is a path of ours whose path is an address of another's
  if (url.pathname.startsWith('//')) return '/calls';
  return `${url.pathname}${url.search}`;
}
