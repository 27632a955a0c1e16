import { isObject, type Json, type JsonObject, pointerTo } from '../../components/json/json-values.ts';
import { namesOf, objectOf, type Schema } from './form/schema.ts';

/** A question's form as the fields draw it: what may be chosen several times is ticked. */
export function drawnSchema(requested: unknown): Schema {
  const schema = isObject(requested) ? requested : {};
  const properties = Object.entries(objectOf(schema['properties'])).map(
    ([name, member]) =>
      [
        name,
        isObject(member) && member['type'] === 'array' ? { ...member, uniqueItems: true } : member,
      ] as const,
  );
  return { ...schema, properties: Object.fromEntries(properties), additionalProperties: false };
}

/** What stands in the fields at first: the defaults of the form. */
export function startAnswer(schema: Schema): JsonObject {
  const entries = Object.entries(objectOf(schema['properties'])).flatMap(
    ([name, member]): Array<[string, Json]> => {
      const { default: value } = objectOf(member);
      return value === undefined ? [] : [[name, value]];
    },
  );
  return Object.fromEntries(entries);
}

/** What a member is called in a question: people read its title. */
export function titleOf(name: string, schema: unknown): string {
  const { title } = objectOf(schema);
  return typeof title === 'string' && title.trim() !== '' ? title : name;
}

/** What does not fit the form, by JSON Pointer; its server checks it again, and knows more. */
export function answerProblems(schema: Schema, answer: JsonObject): ReadonlyMap<string, string> {
  const needed = new Set(namesOf(schema['required']));
  const problems = new Map<string, string>();
  for (const [name, member] of Object.entries(objectOf(schema['properties']))) {
    const value = Object.hasOwn(answer, name) ? answer[name] : undefined;
    const problem =
      value === undefined
        ? needed.has(name)
          ? 'An answer is needed.'
          : undefined
        : faultOf(value, objectOf(member));
    if (problem !== undefined) problems.set(pointerTo('', name), problem);
  }
  return problems;
}

/** MCP, PrimitiveSchemaDefinition: the limits that a form may set. */
function faultOf(value: Json, schema: Schema): string | undefined {
  if (typeof value === 'string') return textFault(value, schema);
  if (typeof value === 'number') return outside(value, schema['minimum'], schema['maximum']);
  if (Array.isArray(value)) return outside(value.length, schema['minItems'], schema['maxItems'], ' choices');
  return undefined;
}

function textFault(text: string, schema: Schema): string | undefined {
  const long = outside([...text].length, schema['minLength'], schema['maxLength'], ' characters');
  if (long !== undefined) return long;
  switch (schema['format']) {
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(text) ? undefined : 'Is no e-mail address.';
    case 'uri':
      return URL.canParse(text) ? undefined : 'Is no whole address, as https://example.com/.';
    case 'date':
      return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
        ? undefined
        : 'Is no date, as 2026-01-31.';
    case 'date-time':
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text))
        ? undefined
        : 'Is no date with a time, as 2026-01-31T09:30:00Z.';
    default:
      return undefined;
  }
}

function outside(value: number, least: unknown, most: unknown, unit = ''): string | undefined {
  if (typeof least === 'number' && value < least) return `Needs at least ${least}${unit}.`;
  if (typeof most === 'number' && value > most) return `Takes at most ${most}${unit}.`;
  return undefined;
}
