import { ToolcribError } from '../../errors.ts';
import type { JsonObject, Tool } from '../../operations/index.ts';
import { firstFew } from '../../operations/text/first-few.ts';
import { nearestName } from '../../operations/text/nearest-name.ts';
import { propertiesOf } from './describe-arguments.ts';
import { SHAPING_PROPERTIES } from './shaping-arguments.ts';

const MAX_NAMED = 10;
const MAX_NAME = 64;
const MAX_OWN = 6;
/** Of tools like this one, never of an operation: what has no such property leaves it to its schema to say so. */
const SHAPING: ReadonlySet<string> = new Set([...Object.keys(SHAPING_PROPERTIES), 'pages']);

/**
 * An operation's arguments that stand beside a tool's own in place of within `place`; undefined where there are none. A
 * name that is nearly one of the tool's own is left to its schema, which says which.
 */
export function misplacedArguments(
  { name, inputSchema }: Tool,
  place: string,
  args: JsonObject,
): ToolcribError | undefined {
  const own = propertiesOf(inputSchema);
  const known = Object.keys(own);
  const misplaced = Object.keys(args).filter(
    (one) => !Object.hasOwn(own, one) && !SHAPING.has(one) && nearestName(one, known) === undefined,
  );
  const [first] = misplaced;
  if (first === undefined) return undefined;
  const named = misplaced.slice(0, MAX_NAMED).map((one) => JSON.stringify(one.slice(0, MAX_NAME)));
  // one that knows none of them may mean the operation itself, by another word
  const isNone = Object.keys(args).every((one) => !Object.hasOwn(own, one));
  const its = isNone ? ` It has ${firstFew(known, MAX_OWN)}.` : '';
  return new ToolcribError(
    'arguments_invalid',
    `${name} has no ${named.join(', ')} of its own; arguments of the operation stand in "${place}".${its}`,
    { pointer: `/${first.slice(0, MAX_NAME)}` },
  );
}
