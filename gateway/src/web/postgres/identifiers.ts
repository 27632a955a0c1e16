import { ToolcribError } from '../../errors.ts';

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_$]{0,62}$/;

/** A column name as a quoted identifier. Throws `configuration_invalid`. */
export function column(name: string): string {
  if (IDENTIFIER.test(name)) return `"${name}"`;
  throw refusedName(name);
}

/** A table with its schema, where one is named: `docs.chunks` → `"docs"."chunks"`. */
export function table(name: string): string {
  const parts = name.split('.');
  if (parts.length <= 2 && parts.every((part) => IDENTIFIER.test(part))) {
    return parts.map((part) => `"${part}"`).join('.');
  }
  throw refusedName(name);
}

/** A text search configuration as a literal: an expression index is only used for a constant. */
export function textConfiguration(name: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}(\.[a-z_][a-z0-9_]{0,62})?$/.test(name)) return `'${name}'::regconfig`;
  throw refusedName(name);
}

function refusedName(name: string): ToolcribError {
  return new ToolcribError(
    'configuration_invalid',
    `"${name.slice(0, 80)}" is no name that is taken here: letters, digits and "_", a schema before a dot.`,
  );
}
