/**
 * Whether a parameter stands for the method of a POST: `_method`, as Rails, Laravel, Symfony and others call it,
 * `_HttpMethod`, as Salesforce does, or what the header is called, as Firebase does. PHP reads `.method` as the first, and a
 * name no further than to its first NUL.
 */
export function standsForMethod(name: string): boolean {
  return /^\s*(?:[_.](?:http)?method|x-(?:http-method(?:-override)?|method-override))(?:\0|$)/i.test(name);
}
