/** What JSON texts hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object itself, else an empty one. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The list itself, else an empty one. */
export const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);

/** The text itself, else an empty one. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The value at member names joined by `/`; undefined where there is none. */
export function valueAt(value: unknown, path: string): Json | undefined {
  let at: unknown = value;
  for (const name of path.split('/').filter((part) => part !== '')) {
    if (Array.isArray(at)) at = at[Number(name)];
    else if (isObject(at)) at = at[name];
    else return undefined;
  }
  return at as Json | undefined;
}

/** A copy with another value at member names joined by `/`; missing objects are made. */
export function withValueAt(value: Json | undefined, path: string, to: Json): Json {
  const [name, ...rest] = path.split('/').filter((part) => part !== '');
  if (name === undefined) return to;
  const object = objectOf(value);
  return { ...object, [name]: withValueAt(object[name], rest.join('/'), to) };
}
