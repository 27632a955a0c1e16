import type { AzureInvocation, DynamicShape, JsonObject, ParameterChoices } from '../../operations/index.ts';
import { isObject } from '../../operations/index.ts';
import type { ListedOperation } from '../openapi/path-items.ts';
import type { Reading } from '../openapi/reading.ts';
import { type DeclaredParameters, declaredParameters } from '../openapi/requests/declared-parameters.ts';
import type { ArgumentPlaces } from './argument-places.ts';
import { type BodyMember, bodyMembers } from './body-members.ts';
import { choicesOf } from './choices.ts';
import type { CompiledInput } from './compiled-input.ts';
import type { ConnectorDocument } from './connector-document.ts';
import { describedText } from './dialect.ts';
import type { HelperInputs, InputsOf } from './helper-calls.ts';
import { dynamicShapeOf } from './shapes.ts';

export interface DynamicFacts {
  readonly declared: DeclaredParameters;
  readonly members: readonly BodyMember[];
  readonly places: ArgumentPlaces;
  /** Where the operation stands in the document. */
  readonly pointer: string;
}

/** A node that says something about an argument, and which. */
interface Spoken {
  readonly node: JsonObject;
  readonly argument: string;
  /** Name of the argument where the node describes all of it. */
  readonly whole?: string;
}

/** What other operations tell about this one's arguments. What cannot be asked costs a diagnostic, nothing else. */
export function applyDynamics(
  document: ConnectorDocument,
  input: CompiledInput,
  facts: DynamicFacts,
): Pick<AzureInvocation, 'choices' | 'shapes'> {
  const choices: ParameterChoices[] = [];
  const shapes: DynamicShape[] = [];
  const inputsOf = inputsIn(document);
  const capabilities = document.reading.root['x-ms-capabilities'];
  const context = {
    places: facts.places,
    inputsOf,
    capabilities: isObject(capabilities) ? capabilities : {},
  };
  for (const { node, argument, whole } of spoken(input, facts)) {
    const values = choicesOf(node, node.type === 'array' ? `${argument}/*` : argument, context);
    const shape = dynamicShapeOf(node, argument, facts.places, inputsOf);
    for (const [found, what] of [
      [values, 'values'],
      [shape, 'schema'],
    ] as const) {
      if (found === undefined || !('problem' in found)) continue;
      const message = `The ${what} of ${argument} cannot be listed: ${found.problem}.`;
      document.log.report('dynamic-unusable', 'info', message, facts.pointer);
    }
    if (values !== undefined && !('problem' in values)) choices.push(values);
    if (shape !== undefined && !('problem' in shape)) shapes.push(shape);
    if (whole !== undefined && (values ?? shape) !== undefined) {
      const usable = [values, shape].some((found) => found !== undefined && !('problem' in found));
      input.describe(
        whole,
        withBase64(
          input,
          whole,
          describedText(node, () => usable),
        ),
      );
    }
  }
  return { ...(choices.length === 0 ? {} : { choices }), ...(shapes.length === 0 ? {} : { shapes }) };
}

function withBase64(input: CompiledInput, argument: string, text: string): string {
  return input.schema(argument).contentEncoding === 'base64' ? `${text} (base64)`.trim() : text;
}

function* spoken(input: CompiledInput, { declared, members, places }: DynamicFacts): Iterable<Spoken> {
  for (const { node } of [...declared.beside, ...declared.form]) {
    const binding = input.binding(node.in === 'formData' ? 'body' : String(node.in), String(node.name));
    if (binding?.arg === undefined) continue;
    const place = places.ofParameter(binding.in, binding.name);
    if (place === undefined || !('argument' in place)) continue;
    yield { node, argument: place.argument, whole: binding.arg };
    if (isObject(node.items)) yield { node: node.items, argument: `${place.argument}/*` };
  }
  for (const { node, tokens, value, leftOut } of members) {
    if (value !== undefined || leftOut) continue;
    const place = places.ofMember(tokens);
    if (place === undefined || !('argument' in place)) continue;
    const whole = tokens.length === 0 ? input.binding('body', '')?.arg : undefined;
    yield {
      node: whole === undefined ? node : withTextsOf(declared.body!.node, node),
      argument: place.argument,
      ...(whole === undefined ? {} : { whole }),
    };
  }
}

/** The body parameter says more about the whole body than its schema does. */
function withTextsOf(parameter: JsonObject, schema: JsonObject): JsonObject {
  const { description = schema.description, 'x-ms-summary': summary = schema['x-ms-summary'] } = parameter;
  return {
    ...schema,
    ...(description === undefined ? {} : { description }),
    ...(summary === undefined ? {} : { 'x-ms-summary': summary }),
  };
}

/** Asked again and again for the same few helpers: the document remembers. */
function inputsIn(document: ConnectorDocument): InputsOf {
  return (operationId) => {
    const known = document.inputs.get(operationId);
    if (known !== undefined) return known;
    const listed = document.byId.get(operationId);
    if (listed === undefined) return undefined;
    const inputs = helperInputs(document.reading, listed);
    document.inputs.set(operationId, inputs);
    return inputs;
  };
}

function helperInputs(reading: Reading, { pathItem, operation }: ListedOperation): HelperInputs {
  const { beside, form, body } = declaredParameters(reading, pathItem, operation);
  const members = body === undefined ? [] : bodyMembers(reading.references, body.node.schema);
  const inBody = members
    .filter(({ tokens, value }) => tokens.length === 1 && value === undefined)
    .map(({ tokens, required, node }) => ({ name: tokens[0]!, required, node }));
  const all = [
    ...[...beside, ...form].map(({ node }) => ({
      name: String(node.name),
      required: node.required === true,
      node,
    })),
    ...inBody,
  ];
  const needed = all.filter(({ required, node }) => required && node.default === undefined);
  const names = new Set(all.map(({ name }) => name));
  if (body !== undefined && inBody.length === 0) names.add('');
  return {
    names,
    needed: new Set(needed.map(({ name }) => name)),
    body: body === undefined ? undefined : String(body.node.name),
  };
}
