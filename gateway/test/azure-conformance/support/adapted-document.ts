import type { Node, Value } from '../../azure-seed/expectations/expected-envelope.ts';
import { isNode, itemsOf, nodeOf } from '../../azure-seed/expectations/raw-swagger.ts';

/** The document as a caller of `dynamicInvoke` must read it, for a judge that knows plain HTTP only. */
export function adaptedDocument(swagger: Node): Node {
  const paths = Object.entries(nodeOf(swagger.paths)).map(
    ([path, item]) => [path.replace(/^\/\{connectionId\}/, '') || '/', item] as const,
  );
  return { ...swagger, paths: Object.fromEntries(paths) };
}
