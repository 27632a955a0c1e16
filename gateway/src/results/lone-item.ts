import { isObject, type Operation } from '../operations/index.ts';
import { propertySchema } from '../operations/invocation/argument-schema.ts';
import { linkedPairs, queryArguments, schemaInQuery } from './linked-value.ts';

/** `expected array, received string`, `must be array`, `should be an array`. */
const WANTS_A_LIST = /\b(?:expected|must be|should be|not|is no)\s+(?:an? )?(?:valid )?(?:array|list)\b/i;

/**
 * What to do where a service on Express or the like took a list for a text, and says that it wants a list: one of a
 * single item (`tags=a`), or one that is joined (`tags=a,b`), both as the description has them. Undefined where none
 * went out so.
 */
export function loneItemStep(words: string, url: string, operation: Operation): string | undefined {
  if (!WANTS_A_LIST.test(words)) return undefined;
  const { input } = operation;
  const pairs = linkedPairs(URL.parse(url)?.search.slice(1) ?? '');
  const lone = [...queryArguments(operation)].find(({ name, arg, style = 'form', contentType }) => {
    const isOnce = style === 'form' && contentType === undefined;
    if (!isOnce || pairs.filter(([one]) => one === name).length !== 1) return false;
    const { type, anyOf, oneOf } = schemaInQuery(propertySchema(input, arg), input);
    return type === 'array' || [anyOf, oneOf].flat().some((form) => isObject(form) && form.type === 'array');
  });
  if (lone === undefined) return undefined;
  const { name, explode = true } = lone;
  const [went, so] = explode
    ? [`A list of one item went out as ${name}=…`, ': several items are not, and']
    : [`A list went out as ${name}=…, its items joined as the description has them`, ':'];
  return `${went}, which some services take for a text${so} the operator has it written ${name}[]=… by an overlay: \`style: deepObject\` of the parameter, in Swagger 2.0 its name.`;
}
