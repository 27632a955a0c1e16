/**
 * Whether a parameter stands for the method of a POST: `_method`, as Rails, Laravel, Symfony and others call it. PHP reads
 * `.method` as that, and a name no further than to its first NUL.
 */
export function standsForMethod(name: string): boolean {
  return /^\s*[_.]method(?:\0|$)/i.test(name);
}
