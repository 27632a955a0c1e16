import { percentDecoded } from '../../../operations/http/percent-decoded.ts';
import { escapeToken, type JsonObject, parsePointer, valueAt } from '../../../operations/index.ts';
import { nodesOf, type Way } from './nodes.ts';
import type { References } from './references.ts';

const DEFINITIONS: ReadonlySet<string> = new Set(['$defs', 'definitions']);
/** How a reference begins that is meant from the root of a schema; slashes may be escaped. */
const OF_A_SCHEMA =
  /#\\?\/(?:\$defs|definitions|properties|items|anyOf|oneOf|allOf|additionalProperties)\\?\//;

/** False where no reference of this document can be meant from the root of a schema: saves a walk. */
export function mayEmbed(text: string): boolean {
  return OF_A_SCHEMA.test(text);
}

/**
 * Programs put a whole JSON Schema into a document as it came (Zod's, Pydantic's): its references begin at its own
 * root, where OpenAPI reads them from the document's. Those that lead nowhere there, and somewhere in a schema that
 * they stand in, are written as what they mean.
 */
export function settleEmbedded(root: JsonObject, references: References): void {
  for (const { node, way } of nodesOf(root, '')) {
    const { $ref } = node;
    if (typeof $ref !== 'string' || !mayEmbed(`${$ref}/`) || references.resolve($ref) !== undefined) continue;
    const schema = rootOf(way, parsePointer(percentDecoded($ref)) ?? []);
    if (schema !== undefined) node.$ref = `#${pointerOf(schema)}${$ref.slice(1)}`;
  }
}

/** Definitions are those of the nearest schema that has them; anything else stands in the outermost one. */
function rootOf(from: Way, path: readonly string[]): Way | undefined {
  let found: Way | undefined;
  for (let way: Way | undefined = from; way !== undefined; way = way.up) {
    if (valueAt(way.node, path) === undefined) continue;
    if (DEFINITIONS.has(path[0]!)) return way;
    found = way;
  }
  return found;
}

function pointerOf({ steps, up }: Way): string {
  const own = steps.map((step) => `/${escapeToken(step)}`).join('');
  return up === undefined ? own : pointerOf(up) + own;
}
