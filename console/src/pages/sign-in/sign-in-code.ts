/** The one-time code of a link, taken out of the address bar and the history before anything else happens. */
export function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? undefined;
  if (location.hash !== '') history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  return code;
}
