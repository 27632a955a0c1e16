/** Where a person was before signing in: a page of this console, and nothing else that stands in an address. */
export function wayBack(search: string, origin: string): string {
  const given = new URLSearchParams(search).get('back');
  if (given === null || !given.startsWith('/')) return '/calls';
  const url = URL.parse(given, origin);
  if (url === null || url.origin !== origin || !isOutsideSignIn(url.pathname)) return '/calls';
  // `/.//host` is a path of ours whose path is an address of another's
  if (url.pathname.startsWith('//')) return '/calls';
  return `${url.pathname}${url.search}`;
}

/** A path counts as the server reads it: `/%73ign-in` is `/sign-in`. A test holds it to the gateway's own rule. */
function isOutsideSignIn(path: string): boolean {
  try {
    return !decodeURI(path).startsWith('/sign-in');
  } catch {
    return false;
  }
}
