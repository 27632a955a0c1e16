import { isObject, isSame, type Json } from '../../../components/json/json-values.ts';
import { type Field, fieldOf } from './field.ts';
import { isOfType, namesOf, objectOf, resolved, type Schema, typesOf } from './schema.ts';

/** Whether a value is of a branch's kind: its type, its constants, what it needs. A look, no validation. */
export function isOfBranch(value: Json | undefined, branch: Schema, root: Schema): boolean {
  if (value === undefined) return false;
  const schema = resolved(branch, root);
  if (Object.hasOwn(schema, 'const')) return isSame(value, schema['const']);
  const { enum: options } = schema;
  if (Array.isArray(options)) return options.some((option) => isSame(option, value));
  if (!isOfType(value, typesOf(schema))) return false;
  if (!isObject(value)) return true;
  const properties = objectOf(schema['properties']);
  return (
    namesOf(schema['required']).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(properties).every(([name, member]) => {
      const { const: constant } = resolved(member, root);
      return constant === undefined || !Object.hasOwn(value, name) || isSame(value[name], constant);
    })
  );
}

/** Whether a control can show a value; else it is shown as JSON. */
export function canShow({ control, nullable }: Field, value: Json | undefined): boolean {
  if (value === undefined || (value === null && nullable)) return true;
  switch (control.kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number' || typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return control.options.some((option) => isSame(option, value));
    case 'constant':
      return isSame(control.value, value);
    case 'object':
      return isObject(value);
    case 'list':
      return Array.isArray(value);
    case 'selection':
      return (
        Array.isArray(value) &&
        value.every((item, at) => value.indexOf(item) === at && control.options.includes(item))
      );
    default:
      return true;
  }
}

/** The value that a field begins with once it is added: constants, defaults, what is needed. */
export function initialValue(given: unknown, root: Schema, depth = 0): Json {
  const field = fieldOf(given, root);
  const { control } = field;
  if (field.default !== undefined) return field.default;
  switch (control.kind) {
    case 'constant':
      return control.value;
    case 'choice':
      return control.options[0] ?? null;
    case 'boolean':
      return false;
    case 'number': {
      const { minimum } = field.schema;
      return typeof minimum === 'number' ? minimum : 0;
    }
    case 'text':
      return '';
    case 'list':
    case 'selection':
      return [];
    case 'alternatives':
      return depth > 8 ? null : initialValue(control.branches[0]?.schema, root, depth + 1);
    case 'object': {
      if (depth > 8) return {};
      const needed = control.members.filter(({ required }) => required);
      return Object.fromEntries(
        needed.map(({ name, schema }) => [name, initialValue(schema, root, depth + 1)]),
      );
    }
    default:
      return null;
  }
}

/** An item of a list or a free member, whose text was deleted: it keeps its place while it is being written. */
export function emptied(item: unknown): string | null {
  return typeof item === 'string' || typeof item === 'number' ? '' : null;
}
