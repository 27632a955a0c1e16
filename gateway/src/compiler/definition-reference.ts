/** The name in `#/$defs/NAME`, unescaped (RFC 6901 §4); undefined for any other reference. */
export function definitionNameOf(reference: string): string | undefined {
  const name = /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1];
  return name?.replaceAll('~1', '/').replaceAll('~0', '~');
}
