import { isObject, type Operation } from '../operations/index.ts';
import { propertySchema } from '../operations/invocation/argument-schema.ts';
import { linkedPairs, queryArguments, schemaInQuery } from './linked-value.ts';

/** `property gt should not exist`, `Unrecognized key(s) in object: 'gt'`, `"gt" is not allowed`. */
const NOT_KNOWN =
  /\b(?:should not exist|(?:is|are) not (?:allowed|expected|known|supported)|unknown|unexpected|unrecogni[sz]ed|not permitted)\b/i;

/**
 * What to do where the members of an object went out as parameters of their own (`gt=1`, as OpenAPI has it) and the
 * service does not know one of them; undefined where none went out so.
 */
export function spreadObjectStep(words: string, url: string, operation: Operation): string | undefined {
  if (!NOT_KNOWN.test(words)) return undefined;
  const { input } = operation;
  const sent = new Set(linkedPairs(URL.parse(url)?.search.slice(1) ?? '').map(([name]) => name));
  for (const { name, arg, style = 'form', explode = true, contentType } of queryArguments(operation)) {
    if (style !== 'form' || !explode || contentType !== undefined) continue;
    const { properties } = schemaInQuery(propertySchema(input, arg), input);
    const member = Object.keys(isObject(properties) ? properties : {}).find(
      (one) => sent.has(one) && isNamed(one, words),
    );
    if (member !== undefined)
      return `${member} of ${arg} went out as a parameter of its own, as OpenAPI has it for an object: where the service reads ${name}[${member}]=…, the operator says so by an overlay: \`style: deepObject\` of the parameter ${name}.`;
  }
  return undefined;
}

/** As a word of its own. */
function isNamed(name: string, words: string): boolean {
  return words.split(/[^\w$.-]+/).some((word) => word.replace(/[.]$/, '') === name);
}
