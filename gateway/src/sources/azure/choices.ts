import { isObject, type JsonObject, type ParameterChoices } from '../../operations/index.ts';
import { scalarText } from '../../operations/text/scalar-text.ts';
import type { ArgumentPlaces } from './argument-places.ts';
import { type ChoiceExtension, choiceOf } from './extensions.ts';
import { helperCall, type InputsOf, type Unusable } from './helper-calls.ts';

export interface ChoiceContext {
  readonly places: ArgumentPlaces;
  readonly inputsOf: InputsOf;
  /** The document's `x-ms-capabilities`. */
  readonly capabilities: JsonObject;
}

/** How the values of one argument are listed; undefined where nothing is said about them. */
export function choicesOf(
  node: JsonObject,
  argument: string,
  context: ChoiceContext,
): ParameterChoices | Unusable | undefined {
  const preferred = choiceOf(node);
  if (preferred === undefined) return undefined;
  const found = read(preferred, argument, context);
  if (!('problem' in found) || preferred.kind === 'values') return found;
  const older = node['x-ms-dynamic-values'];
  const second = isObject(older) ? read({ kind: 'values', node: older }, argument, context) : found;
  return 'problem' in second ? found : second;
}

function read(
  choice: ChoiceExtension,
  argument: string,
  context: ChoiceContext,
): ParameterChoices | Unusable {
  const { kind, node } = choice;
  if (kind === 'tree') return treeOf(node, argument, context);
  if (kind === 'values' && typeof node.capability === 'string') return pickerOf(node, argument, context);
  const call = helperCall(node, context.places, context.inputsOf);
  if ('problem' in call) return call;
  const [items, value, title] =
    kind === 'list'
      ? [node.itemsPath, node.itemValuePath, node.itemTitlePath]
      : [node['value-collection'], node['value-path'], node['value-title']];
  if (!isPath(value)) return { problem: `${call.operation} is asked, but the path of the values is missing` };
  return { ...call, argument, kind, value, ...optional({ items, title }) };
}

function treeOf(
  { open, browse }: JsonObject,
  argument: string,
  { places, inputsOf }: ChoiceContext,
): ParameterChoices | Unusable {
  if (!isObject(open)) return { problem: 'the tree does not say how it is opened' };
  const call = helperCall(open, places, inputsOf);
  if ('problem' in call) return call;
  const { itemsPath: items, itemValuePath: value, itemTitlePath: title, itemIsParent } = open;
  if (!isPath(value)) return { problem: `${call.operation} is asked, but the path of the values is missing` };
  const more = isObject(browse) ? helperCall(browse, places, inputsOf) : undefined;
  const isParent = memberOf(itemIsParent);
  return {
    ...call,
    argument,
    kind: 'tree',
    value,
    ...optional({ items, title, isParent }),
    ...(more === undefined || 'problem' in more
      ? {}
      : { browse: { ...more, ...optional({ items: isObject(browse) ? browse.itemsPath : undefined }) } }),
  };
}

/** The oldest form: `capability: file-picker`, which the document's own `x-ms-capabilities` describe. */
function pickerOf(node: JsonObject, argument: string, context: ChoiceContext): ParameterChoices | Unusable {
  const capability = scalarText(node.capability) ?? '';
  const said = context.capabilities[capability];
  const value = node['value-path'];
  if (!isObject(said) || !isObject(said.open))
    return { problem: `the document does not say how ${capability} works` };
  if (!isPath(value)) return { problem: `${capability} is asked, but the path of the values is missing` };
  const given = isObject(node.parameters) ? node.parameters : {};
  const call = (step: JsonObject) =>
    helperCall(
      {
        operationId: step['operation-id'] ?? step.operationId ?? null,
        parameters: pickerParameters(step, given),
      },
      context.places,
      context.inputsOf,
    );
  const open = call(said.open);
  if ('problem' in open) return open;
  const items = said['value-collection'];
  const browse = isObject(said.browse) ? call(said.browse) : undefined;
  return {
    ...open,
    argument,
    kind: 'tree',
    value,
    ...optional({
      items,
      title: said['value-title'] ?? node['value-title'],
      isParent: said['value-folder-property'],
    }),
    ...(browse === undefined || 'problem' in browse ? {} : { browse: { ...browse, ...optional({ items }) } }),
  };
}

/** `{ "value-property": "Id" }` is what the parameter's own extension gives under that name, else the opened node's. */
function pickerParameters(step: JsonObject, given: JsonObject): JsonObject {
  const declared = isObject(step.parameters) ? step.parameters : {};
  return Object.fromEntries(
    Object.entries(declared).map(([name, said]) => {
      const property = isObject(said) ? said['value-property'] : undefined;
      if (typeof property !== 'string') return [name, said];
      return [name, Object.hasOwn(given, property) ? given[property]! : { selectedItemValuePath: property }];
    }),
  );
}

/** `(IsFolder eq true)` and `IsFolder`: the member that says it. */
function memberOf(said: unknown): string | undefined {
  if (typeof said !== 'string') return undefined;
  return /^\(?\s*([\w@.$/-]+)(?:\s+eq\s+true)?\s*\)?$/i.exec(said)?.[1];
}

function isPath(path: unknown): path is string {
  return typeof path === 'string' && path !== '';
}

function optional<K extends string>(paths: Readonly<Record<K, unknown>>): { readonly [P in K]?: string } {
  return Object.fromEntries(Object.entries(paths).filter(([, path]) => isPath(path))) as {
    [P in K]?: string;
  };
}
