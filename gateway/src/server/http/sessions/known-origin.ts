/**
 * Where the browser is for sure, whatever ends its TLS; undefined: nobody but itself knows. Whoever comes to another name
 * than the public one, such as the machine's own, comes as the request says.
 */
export function knownOrigin({ url, headers }: Request, publicUrl: URL | undefined): string | undefined {
  const host = headers.get('host') ?? new URL(url).host;
  return publicUrl?.host === host.toLowerCase() ? publicUrl.origin : undefined;
}
