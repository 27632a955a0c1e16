import type { JsonObject, ScriptArgument } from '../../operations/index.ts';
import type { FoundArgument } from './found.ts';
import { nameOf, summary } from './words.ts';

/** What may stand behind `|default:` and still be one plain value. */
const PLAIN_DEFAULT = /^[A-Za-z0-9_./-]{1,80}$/;
/** What does not look like a flag. */
const NO_FLAG = '^[^-]';

/**
 * What a script's argument becomes on its command line; an optional one is left out whole.
 *
 * @param isFollowed something behind it is found by its place
 */
export function itemsOf(
  argument: FoundArgument,
  names: readonly string[],
  isFollowed: boolean,
): ScriptArgument[] {
  const { flag, kind, required, joined, values, repeats } = argument;
  if (kind === 'switch') return [{ flag: flag!, when: `args.${names[0]}` }];
  if (values === 'many') return manyOf(`args.${names[0]}`, flag, repeats === true, required);
  const templates = names.map((name) => `{{args.${name}}}`);
  if (flag !== undefined) {
    const items = joined && templates.length === 1 ? [`${flag}=${templates[0]}`] : [flag, ...templates];
    return required ? items : [items];
  }
  if (required) return templates;
  return isFollowed && hasPlainDefault(argument)
    ? [`{{args.${names[0]}|default:'${argument.fallback}'}}`]
    : [templates];
}

/** A flag that stands once is not there for an empty list. */
function manyOf(
  each: string,
  flag: string | undefined,
  repeats: boolean,
  required: boolean,
): ScriptArgument[] {
  if (flag === undefined) return [{ each }];
  if (repeats) return [{ each, flag }];
  return [required ? flag : { flag, when: each }, { each }];
}

/** Its place is filled, whether it is given or not. */
export function hasPlainDefault({ fallback, values }: FoundArgument): boolean {
  return values === undefined && typeof fallback === 'string' && PLAIN_DEFAULT.test(fallback);
}

/**
 * The schema of one argument.
 *
 * @param hasFlags the script has flags, so that a text by its position may be taken for one
 */
export function schemaOf(argument: FoundArgument, hasFlags: boolean): JsonObject {
  const { kind, description, values, required } = argument;
  const said = summary(description);
  const about = said === undefined ? {} : { description: said };
  if (kind === 'switch') return { type: 'boolean', ...about };
  if (values !== 'many') return { ...oneValue(argument, hasFlags, about) };
  const { fallback: _, ...one } = argument;
  return {
    type: 'array',
    ...itemSchemas(one, oneValue(one, hasFlags, {})),
    ...(required ? { minItems: 1 } : {}),
    ...about,
  };
}

/** Behind the first of what takes the rest of a command line, flags are values as well. */
function itemSchemas({ takesRest, type }: FoundArgument, item: JsonObject): JsonObject {
  return takesRest && item['pattern'] !== undefined
    ? { prefixItems: [item], items: { type } }
    : { items: item };
}

function oneValue(argument: FoundArgument, hasFlags: boolean, about: JsonObject): JsonObject {
  const { type, choices, fallback, flag, values, repeats, joined } = argument;
  if (choices !== undefined) {
    const isNumber = choices.every((choice) => typeof choice === 'number');
    return {
      type: isNumber ? 'number' : 'string',
      enum: isNumber ? [...choices] : choices.map(String),
      ...about,
      ...defaultOf(fallback, isNumber ? 'number' : 'string'),
    };
  }
  // By its position a text that looks like a flag would be one, as behind one that takes all up to the next flag.
  const isFlagPossible =
    flag === undefined ? hasFlags : values === 'many' && (repeats !== true || joined === true);
  const pattern = type === 'string' && isFlagPossible ? { pattern: NO_FLAG } : {};
  return { type, ...pattern, ...about, ...defaultOf(fallback, type) };
}

function defaultOf(fallback: FoundArgument['fallback'], type: FoundArgument['type']): JsonObject {
  if (type === 'string')
    return typeof fallback === 'string' && fallback !== '' && fallback.length <= 200
      ? { default: fallback }
      : {};
  const number =
    typeof fallback === 'string' && /^-?\d{1,12}(?:\.\d{1,6})?$/.test(fallback) ? Number(fallback) : fallback;
  const fits = type === 'integer' ? Number.isInteger(number) : typeof number === 'number';
  return fits ? { default: number as number } : {};
}

/** Names of the schema for one argument, none of which is taken. */
export function argumentNames(
  { spelling, values }: Pick<FoundArgument, 'spelling' | 'values'>,
  taken: JsonObject,
): string[] {
  const plain = nameOf(spelling.replace(/^-+/, '')).replaceAll('-', '_');
  const base = /^[A-Za-z_]/.test(plain) ? plain : `value_${plain}`;
  const count = typeof values === 'number' ? values : 1;
  return Array.from({ length: count }, (_, index) => {
    const wanted = count === 1 ? base : `${base}_${index + 1}`;
    let name = wanted;
    for (let next = 2; Object.hasOwn(taken, name) || name === '__proto__'; next++) name = `${wanted}_${next}`;
    return name;
  });
}
