import type { Schema } from './schema.ts';

/** What a schema says about size and form, in a few words: `1 to 100`, `at least 2 characters`. */
export function limitsOf(schema: Schema): string | undefined {
  const said = [
    range(schema['minimum'], schema['maximum'], ''),
    above(schema['exclusiveMinimum'], 'more than'),
    above(schema['exclusiveMaximum'], 'less than'),
    range(schema['minLength'], schema['maxLength'], ' characters'),
    range(schema['minItems'], schema['maxItems'], ' items'),
    typeof schema['multipleOf'] === 'number' ? `a multiple of ${schema['multipleOf']}` : undefined,
    typeof schema['format'] === 'string' ? schema['format'] : undefined,
    typeof schema['pattern'] === 'string' ? `pattern ${schema['pattern']}` : undefined,
  ];
  const words = said.filter((one) => one !== undefined).join(', ');
  return words === '' ? undefined : words;
}

function range(least: unknown, most: unknown, unit: string): string | undefined {
  const from = typeof least === 'number' ? least : undefined;
  const to = typeof most === 'number' ? most : undefined;
  if (from !== undefined && to !== undefined)
    return from === to ? `${from}${unit}` : `${from} to ${to}${unit}`;
  if (from !== undefined) return `at least ${from}${unit}`;
  return to === undefined ? undefined : `at most ${to}${unit}`;
}

function above(value: unknown, words: string): string | undefined {
  return typeof value === 'number' ? `${words} ${value}` : undefined;
}
