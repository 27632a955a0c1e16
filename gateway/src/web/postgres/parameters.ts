import type { Bound, Condition } from '../filters.ts';
import { column } from './identifiers.ts';

/** Values that go beside a statement, never into its text. */
export interface Parameters {
  readonly values: unknown[];
  /** Takes a value and gives its place: `$1`. */
  bind(value: unknown): string;
}

export function parameters(): Parameters {
  const values: unknown[] = [];
  return {
    values,
    bind(value) {
      values.push(value);
      return `$${values.length}`;
    },
  };
}

const OPERATORS: Readonly<Record<Bound, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** `AND`-joined conditions, or `TRUE`. A field is a column, or `column.key` for a key of a jsonb column. */
export function whereClause(conditions: readonly Condition[], parameters: Parameters): string {
  const terms = conditions.flatMap((condition) => termsOf(condition, parameters));
  return terms.length === 0 ? 'TRUE' : terms.join(' AND ');
}

function termsOf(condition: Condition, { bind }: Parameters): string[] {
  const { field } = condition;
  switch (condition.kind) {
    case 'equals':
      return [`${expression(field, condition.value)} = ${bind(taken(field, condition.value))}`];
    case 'one-of': {
      const places = condition.values.map((value) => bind(taken(field, value)));
      return [`${expression(field, condition.values[0])} IN (${places.join(', ')})`];
    }
    case 'range':
      return condition.bounds.map(
        ([bound, value]) => `${expression(field, value)} ${OPERATORS[bound]} ${bind(taken(field, value))}`,
      );
  }
}

/** A key of a jsonb column is text; numbers are compared as numbers where it holds one. */
function expression(field: string, sample: unknown): string {
  const [name, key, ...rest] = field.split('.');
  if (key === undefined) return column(name!);
  const member = `${column(name!)} ->> ${literal([key, ...rest].join('.'))}`;
  if (typeof sample !== 'number') return `(${member})`;
  return `(CASE WHEN jsonb_typeof(${column(name!)} -> ${literal([key, ...rest].join('.'))}) = 'number' THEN (${member})::numeric END)`;
}

/** Keys of a jsonb column hold booleans as text. */
function taken(field: string, value: unknown): unknown {
  return field.includes('.') && typeof value === 'boolean' ? String(value) : value;
}

/** Names of keys come from the configuration; callers choose among them. */
function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
