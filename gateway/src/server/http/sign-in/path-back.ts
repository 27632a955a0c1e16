/** Longer ones would not fit into a cookie beside the rest. */
const LONGEST = 1_000;

/** A page of this origin that a person came from; for whatever else an address says, the first page. */
export function pathBack(given: string | null, origin: string): string {
  if (given === null || given.length > LONGEST || !/^\/[\x21-\x7e]*$/.test(given)) return '/';
  const url = URL.parse(given, origin);
  // `/.//host` is a path of ours that a browser takes for an address of another's
  if (url === null || url.origin !== origin || url.pathname.startsWith('//')) return '/';
  return isOutsideSignIn(url.pathname) ? `${url.pathname}${url.search}` : '/';
}

/** A path counts as the server reads it: `/%73ign-in` is `/sign-in`. A test holds it to the console's own rule. */
function isOutsideSignIn(path: string): boolean {
  try {
    return !decodeURI(path).startsWith('/sign-in');
  } catch {
    return false;
  }
}
