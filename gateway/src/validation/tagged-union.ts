import type { ErrorObject } from 'ajv';
import { escapeToken, isObject, type Json, type JsonSchema } from '../operations/index.ts';
import { partsOf, resolveReferences } from './describe.ts';
import { reachableFrom } from './likeliest-branch.ts';

/**
 * What is wrong with the member by which the forms of a union are told apart (`kind: cat`, `kind: dog`), where the
 * value has none of the forms' values there; undefined where the forms have no such member, or it is right.
 */
export function faultOfTag(
  union: ErrorObject,
  forms: readonly unknown[],
  value: unknown,
  root: JsonSchema | boolean,
): ErrorObject | undefined {
  if (!isObject(value) || forms.length < 2) return undefined;
  const members = forms.map((form) => membersOf(form, root));
  for (const name of members[0]!.keys()) {
    const values = members.map((form) => choicesOf(form.get(name), root));
    if (values.some((choices) => choices.length === 0)) continue;
    const choices = [...new Set(values.flat())];
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (given !== undefined && choices.includes(given as Json)) continue;
    if (given === undefined && !forms.every((form) => requires(form, name, root))) continue;
    const tag = { enum: choices };
    return given === undefined
      ? {
          ...union,
          keyword: 'required',
          parentSchema: { properties: { [name]: tag } },
          params: { missingProperty: name },
        }
      : {
          ...union,
          keyword: 'enum',
          instancePath: `${union.instancePath}/${escapeToken(name)}`,
          schema: choices,
          parentSchema: tag,
          params: { allowedValues: choices },
        };
  }
  return undefined;
}

/**
 * The errors of the form that the value names in the member by which the forms are told apart (`kind: "dog"`), whatever
 * it lacks or has too much; none where it names no form, or several.
 */
export function errorsOfTagged(
  forms: readonly unknown[],
  errors: readonly ErrorObject[],
  value: unknown,
  at: string,
  root: JsonSchema | boolean,
): readonly ErrorObject[] {
  if (!isObject(value)) return [];
  const members = forms.map((form) => membersOf(form, root));
  for (const name of members[0]?.keys() ?? []) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const values = members.map((form) => choicesOf(form.get(name), root));
    if (values.some((choices) => choices.length === 0)) continue;
    const named = forms.filter((_form, index) => values[index]!.includes(given as Json));
    if (named.length !== 1) continue;
    const inside = reachableFrom(named, root);
    // forms that hold one another are reached from each other, too
    const foreign = saidByOthers(forms, named[0], at, root);
    return errors.filter(
      ({ instancePath, parentSchema }) =>
        inside.has(parentSchema) && !foreign.get(instancePath)?.has(parentSchema),
    );
  }
  return [];
}

/** What the other forms alone say of the value and of its members, by their places. */
function saidByOthers(
  forms: readonly unknown[],
  meant: unknown,
  at: string,
  root: JsonSchema | boolean,
): ReadonlyMap<string, ReadonlySet<unknown>> {
  const said = new Map<string, Set<unknown>>();
  const saysOf = (form: unknown): [string, unknown][] => [
    ...partsOf(form, root).map((part): [string, unknown] => [at, part]),
    ...[...membersOf(form, root)].map(([name, member]): [string, unknown] => [
      `${at}/${escapeToken(name)}`,
      resolveReferences(member, root),
    ]),
  ];
  for (const form of forms) {
    if (form === meant) continue;
    for (const [place, schema] of saysOf(form)) said.set(place, (said.get(place) ?? new Set()).add(schema));
  }
  for (const [place, schema] of saysOf(meant)) said.get(place)?.delete(schema);
  return said;
}

/** With those that `allOf` adds, as documents write what extends a common base. */
function membersOf(form: unknown, root: JsonSchema | boolean): ReadonlyMap<string, Json> {
  return new Map(
    partsOf(form, root).flatMap(({ properties }) => (isObject(properties) ? Object.entries(properties) : [])),
  );
}

function requires(form: unknown, name: string, root: JsonSchema | boolean): boolean {
  return partsOf(form, root).some(({ required }) => Array.isArray(required) && required.includes(name));
}

/** The texts that a member may be; none where it may be any. */
function choicesOf(member: unknown, root: JsonSchema | boolean): readonly Json[] {
  const resolved = resolveReferences(member, root);
  if (!isObject(resolved)) return [];
  const choices = 'const' in resolved ? [resolved['const']] : resolved['enum'];
  return Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : [];
}
