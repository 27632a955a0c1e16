import { type Call, type Constants, lastName, literal, textOf } from '../expressions.ts';
import type { FoundArgument } from '../found.ts';
import type { Parameter } from './statements.ts';

/** A parameter of a typer command: positional without a default, an option with one. */
export function typerArgument(
  { name, annotation, fallback }: Parameter,
  constants: Constants,
): FoundArgument | undefined {
  const annotated =
    annotation?.kind === 'index' && lastName(annotation.of) === 'Annotated' ? annotation.at : undefined;
  const parts = annotated?.kind === 'list' ? annotated.items : [];
  const settings = [fallback, ...parts.slice(1)].find((one) => one?.kind === 'call') as Call | undefined;
  const kind = settings === undefined ? undefined : lastName(settings.callee);
  if (name === 'ctx' || (annotation !== undefined && lastName(annotation) === 'Context')) return undefined;
  const type = (annotated === undefined ? annotation : parts[0]) ?? { kind: 'unknown' };
  const isInSettings = settings !== undefined && settings === fallback;
  const given = isInSettings ? (settings.items[0] ?? settings.named.get('default')) : fallback;
  const value = literal(given, constants);
  const isRequired =
    given === undefined || (given.kind === 'name' && given.name === 'Ellipsis') || given.kind === 'unknown';
  const flags = (settings?.items ?? [])
    .map((item) => textOf(item, constants))
    .filter((text) => text?.startsWith('-'));
  const flag =
    flags.find((text) => text?.startsWith('--'))?.split('/')[0] ??
    flags[0] ??
    `--${name.replaceAll('_', '-')}`;
  const isPositional = kind === 'Argument' || (kind !== 'Option' && given === undefined);
  const description = textOf(settings?.named.get('help'), constants);
  const typeName = type.kind === 'index' ? lastName(type.at) : lastName(type);
  const isMany = type.kind === 'index' && /^(?:[Ll]ist|[Ss]equence)$/.test(lastName(type.of) ?? '');
  const base = {
    line: settings?.line ?? 0,
    ...(description === undefined ? {} : { description }),
    ...(isMany ? { values: 'many' as const, repeats: true as const } : {}),
  };
  if (typeName === 'bool' && !isPositional) {
    const own = value === true ? `--no-${flag.replace(/^-+/, '')}` : flag;
    return { ...base, spelling: own, flag: own, kind: 'switch', type: 'string', required: false };
  }
  return {
    ...base,
    spelling: isPositional ? name : flag,
    ...(isPositional ? {} : { flag }),
    kind: 'value',
    type: typeNamed(typeName),
    required: isRequired,
    ...(value === undefined || value === null ? {} : { fallback: value }),
  };
}

/** The type that click and typer call so. */
export function typeNamed(name: string | undefined, fallback?: unknown): FoundArgument['type'] {
  if (name === 'int' || name === 'INT' || name === 'IntRange') return 'integer';
  if (name === 'float' || name === 'FLOAT' || name === 'FloatRange') return 'number';
  // click takes the type of the default where none is named.
  if (name === undefined && typeof fallback === 'number')
    return Number.isInteger(fallback) ? 'integer' : 'number';
  return 'string';
}
