import { isObject, type Json, type JsonObject, UNSAFE_KEYS } from '../../../operations/index.ts';
import { nodesOf } from './nodes.ts';
import type { References } from './references.ts';

/**
 * OpenAPI 3.2 "Security Requirement Object": what is no component's name may be the URI of a scheme. Gives every such
 * scheme a name among the components, in place, as if the document had referred to it there. `uris`: `securityUris`.
 */
export function settleSecurityUris(root: JsonObject, uris: readonly string[], references: References): void {
  const components = isObject(root.components) ? root.components : {};
  const schemes = isObject(components.securitySchemes) ? components.securitySchemes : {};
  const names = new Map<string, string>();
  for (const uri of uris) {
    const target = references.object({ $ref: uri }, '#');
    if (target === undefined) continue;
    const own = Object.keys(schemes).find((name) => schemes[name] === target.node);
    const last = lastStep(uri);
    const name = own ?? (last === '' || UNSAFE_KEYS.has(last) || Object.hasOwn(schemes, last) ? uri : last);
    names.set(uri, name);
    if (own === undefined) schemes[name] = target.node;
  }
  root.components = { ...components, securitySchemes: schemes };
  for (const requirement of requirements(root))
    for (const [uri, name] of names) {
      const scopes = requirement[uri];
      if (scopes === undefined || uri === name) continue;
      delete requirement[uri];
      requirement[name] = scopes;
    }
}

/** Names in security requirements that are no component's and have the form of a URI. */
export function securityUris(root: JsonObject): string[] {
  const components = isObject(root.components) ? root.components.securitySchemes : undefined;
  const known = isObject(components) ? components : {};
  const found = new Set<string>();
  for (const requirement of requirements(root))
    for (const name of Object.keys(requirement))
      if (/[/#]/.test(name) && !Object.hasOwn(known, name)) found.add(name);
  return [...found];
}

function* requirements(root: JsonObject): Iterable<JsonObject> {
  const of = (security: Json | undefined) => (Array.isArray(security) ? security.filter(isObject) : []);
  for (const { node } of nodesOf(root, 'about:blank')) yield* of(node.security);
}

/** `#/components/securitySchemes/key` and `./key`: key. */
function lastStep(uri: string): string {
  const step = uri.slice(uri.search(/[^/#]*$/));
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}
