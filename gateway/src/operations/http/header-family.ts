/** `X-Object-Meta-*`, as OpenStack's documents name all headers that begin so: one for each name that a caller gives. */
const FAMILY = /^[A-Za-z][\w-]*-\*$/;

export function namesFamily(header: string): boolean {
  return header.endsWith('-*') && FAMILY.test(header);
}

/** `X-Object-Meta`: what the headers are together. */
export function familyName(header: string): string {
  return header.slice(0, -2);
}

/** `X-Object-Meta-color` */
export function familyMember(header: string, name: string): string {
  return `${header.slice(0, -1)}${name}`;
}
