import { ToolcribError } from '../errors.ts';
import type { Filter, Filters, FilterValue } from './provider.ts';

export type Bound = 'gt' | 'gte' | 'lt' | 'lte';

/** A filter as one of three plain forms. */
export type Condition =
  | { readonly field: string; readonly kind: 'equals'; readonly value: FilterValue }
  | { readonly field: string; readonly kind: 'one-of'; readonly values: readonly FilterValue[] }
  | {
      readonly field: string;
      readonly kind: 'range';
      readonly bounds: readonly (readonly [Bound, string | number])[];
    };

const MAX_CONDITIONS = 20;
const MAX_VALUES = 100;
const BOUNDS: readonly string[] = ['gt', 'gte', 'lt', 'lte'];

/**
 * The caller's filters, each field one that the configuration offers, and the operator's own, which a caller can
 * neither replace nor widen. Throws `arguments_invalid`.
 */
export function conditionsOf(
  filters: Filters,
  offered: readonly string[] | undefined,
  fixed: Filters = {},
): Condition[] {
  const asked = Object.entries(filters);
  if (asked.length > MAX_CONDITIONS) throw invalid('', `has more than ${MAX_CONDITIONS} fields`);
  for (const [field] of asked) {
    if (offered !== undefined && !offered.includes(field)) {
      const known = offered.length === 0 ? 'none' : offered.join(', ');
      throw invalid(field, `is no field to filter by; there are: ${known}`);
    }
  }
  return [...asked, ...Object.entries(fixed)].map(([field, filter]) => condition(field, filter));
}

function condition(field: string, filter: Filter): Condition {
  if (Array.isArray(filter)) {
    const values = filter as readonly FilterValue[];
    if (values.length === 0 || values.length > MAX_VALUES || !values.every(isValue)) {
      throw invalid(field, `takes 1 to ${MAX_VALUES} texts, numbers or booleans`);
    }
    return { field, kind: 'one-of', values };
  }
  if (isValue(filter)) return { field, kind: 'equals', value: filter };
  const bounds = typeof filter === 'object' && filter !== null ? Object.entries(filter) : [];
  const ordered = bounds.every(
    ([bound, value]) => BOUNDS.includes(bound) && isValue(value) && typeof value !== 'boolean',
  );
  if (bounds.length === 0 || !ordered)
    throw invalid(field, `takes a value, a list of values, or ${BOUNDS.join(', ')}`);
  return { field, kind: 'range', bounds: bounds as [Bound, string | number][] };
}

function isValue(value: unknown): value is FilterValue {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function invalid(field: string, problem: string): ToolcribError {
  const pointer = `/filters${field === '' ? '' : `/${field.slice(0, 100)}`}`;
  return new ToolcribError('arguments_invalid', `The filter ${field.slice(0, 100)} ${problem}.`, { pointer });
}
