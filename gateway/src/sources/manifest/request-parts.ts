import { ToolcribError } from '../../errors.ts';
import type { ProviderManifest, ProviderOperation } from './manifest.ts';
import { partsOf, placeholdersOf } from './parameters.ts';

type Values = Record<string, unknown>;

/** Arguments by the part of the request that they belong to, under their names on the wire. */
export interface CategorizedParams {
  pathParams: Values;
  queryParams: Values;
  bodyParams: Values;
  /** Only where the operation has parameters in headers. */
  headerParams?: Values;
}

/**
 * Fills a path's placeholders, each as one encoded segment. Throws `arguments_invalid` where a value is missing,
 * empty or a dot segment: a path never leaves with `{id}` in it, nor for another place.
 */
export function interpolatePath(path: string, params: Values): { path: string; unusedParams: Values } {
  const unusedParams = { ...params };
  let filled = path;
  for (const name of new Set(placeholdersOf(path))) {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    const text = isPlain(value) ? String(value) : '';
    if (text === '' || text === '.' || text === '..') {
      throw new ToolcribError(
        'arguments_invalid',
        `The path ${path} needs a value for {${name}}${text === '' ? '' : `, and "${text}" is none`}.`,
        { pointer: `/${name}` },
      );
    }
    filled = filled.replaceAll(`{${name}}`, () => encodeURIComponent(text));
    delete unusedParams[name];
  }
  return { path: filled, unusedParams };
}

/** Takes the flat arguments apart; what is undefined or no argument of the operation is left out. */
export function categorizeParams(
  operation: ProviderOperation,
  args: Values,
  manifest?: Pick<ProviderManifest, 'parameters' | 'pagination'>,
): CategorizedParams {
  const pathParams: Values = {};
  const queryParams: Values = {};
  const headerParams: Values = {};
  const bodyParams: Values = {};
  const places = { path: pathParams, query: queryParams, header: headerParams, body: bodyParams };
  for (const { argument, place, name } of partsOf(operation, manifest)) {
    const value = Object.hasOwn(args, argument) ? args[argument] : undefined;
    if (value !== undefined) places[place][name] = value;
  }
  const inHeaders = Object.keys(headerParams).length > 0;
  return { pathParams, queryParams, bodyParams, ...(inHeaders ? { headerParams } : {}) };
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
