import {
  type Diagnostic,
  escapeToken,
  isObject,
  type JsonObject,
  type JsonSchema,
} from '../../operations/index.ts';
import { problemsOf } from '../../operations/text/schema-problems.ts';
import type {
  ActionMapping,
  Category,
  GenericMappings,
  RecordDefinition,
  RecordMapping,
} from './category.ts';
import { genericMappingsSchema } from './schema.ts';
import { namesIn } from './template.ts';

type Inputs = ReadonlyMap<string, JsonSchema>;

/**
 * What is wrong with the `generic` of a manifest: form, operations, arguments on both sides, fields. `inputs` holds
 * the input schema of each of the manifest's operations; without a category only the provider's side is checked.
 */
export function lintMappings(
  generic: JsonObject,
  inputs: Inputs,
  category: Category | undefined,
): Diagnostic[] {
  const outcome = genericMappingsSchema.safeParse(generic);
  if (!outcome.success) {
    return problemsOf(outcome.error.issues, generic).map(({ path, message }) =>
      error('mapping-invalid', path, message),
    );
  }
  return Object.entries(outcome.data as unknown as GenericMappings).flatMap(([record, mapping]) => {
    const definition = category?.records[record];
    if (category !== undefined && definition === undefined) {
      const known = Object.keys(category.records).join(', ');
      return [
        error(
          'mapping-unknown',
          [record],
          `Category ${category.category} has no record ${record}; it has ${known}.`,
        ),
      ];
    }
    return [...lintFields(record, mapping, definition), ...lintActions(record, mapping, inputs, definition)];
  });
}

function lintFields(
  record: string,
  { fields }: RecordMapping,
  definition: RecordDefinition | undefined,
): Diagnostic[] {
  const known = definition && propertiesOf(definition.schema);
  return Object.entries(fields).flatMap(([field, source]) => {
    const at = [record, 'fields', field];
    const unreadable = [source].flat().filter((one) => !/^\/|\{\//.test(one));
    return [
      ...(known === undefined || known.includes(field)
        ? []
        : [error('mapping-unknown', at, `${record} has no field ${field}; it has ${known.join(', ')}.`)]),
      ...unreadable.map((one) => error('mapping-invalid', at, `"${one}" is no JSON Pointer; write /${one}.`)),
    ];
  });
}

function lintActions(
  record: string,
  { actions }: RecordMapping,
  inputs: Inputs,
  definition: RecordDefinition | undefined,
): Diagnostic[] {
  return Object.entries(actions).flatMap(([action, ways]) => {
    const tool = definition?.tools[action as keyof typeof actions];
    if (definition !== undefined && tool === undefined) {
      return [error('mapping-unknown', [record, 'actions', action], `${record} has no action ${action}.`)];
    }
    const given = tool && propertiesOf(tool.input);
    return ways.flatMap((way, index) => lintWay([record, 'actions', action, index], way, inputs, given));
  });
}

/** `given`: arguments of the generic tool; undefined where its category is not known. */
function lintWay(
  at: readonly PropertyKey[],
  { operation, arguments: sent, keeps, when = [], needs = [], ignores = [] }: ActionMapping,
  inputs: Inputs,
  given: readonly string[] | undefined,
): Diagnostic[] {
  const named = [...namesIn(sent), ...(keeps ? namesIn(keeps.arguments) : []), ...when, ...needs, ...ignores];
  const strange = given === undefined ? [] : [...new Set(named)].filter((name) => !given.includes(name));
  return [
    ...lintOperation(at, operation, [...Object.keys(sent), ...Object.keys(keeps?.fields ?? {})], inputs),
    ...(keeps ? lintOperation([...at, 'keeps'], keeps.operation, Object.keys(keeps.arguments), inputs) : []),
    ...strange.map((name) =>
      error('mapping-unknown', at, `The generic tool has no argument ${name}; it has ${given!.join(', ')}.`),
    ),
  ];
}

function lintOperation(
  at: readonly PropertyKey[],
  operation: string,
  sent: readonly string[],
  inputs: Inputs,
): Diagnostic[] {
  const input = inputs.get(operation);
  if (input === undefined) {
    return [error('mapping-unknown', [...at, 'operation'], `The manifest has no operation ${operation}.`)];
  }
  const known = propertiesOf(input);
  return [...new Set(sent)]
    .filter((name) => !known.includes(name))
    .map((name) =>
      error('mapping-unknown', [...at, 'arguments', name], `${operation} has no argument ${name}.`),
    );
}

function propertiesOf({ properties }: JsonObject): string[] {
  return isObject(properties) ? Object.keys(properties) : [];
}

function error(code: string, path: readonly PropertyKey[], message: string): Diagnostic {
  const pointer = ['#', 'generic', ...path].map((part) => escapeToken(String(part))).join('/');
  return { code, severity: 'error', message, pointer };
}
