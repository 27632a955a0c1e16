import { isObject, type JsonObject } from '../../operations/index.ts';
import type { References } from '../openapi/read/references.ts';
import type { SchemaDialect } from '../openapi/schemas/schema-dialect.ts';
import { microsoftValues } from '../openapi/value-titles.ts';
import { choiceOf, helpersOf, isDynamic, shapeOf } from './extensions.ts';
import { internalValue, isLeftOut } from './internal-value.ts';
import { sentences, textOf } from './texts.ts';

/** Said in descriptions, so that a model knows where values and schemas come from. */
export const VALUES_NOTE = 'Values: get_parameter_options.';
export const SCHEMA_NOTE = 'Its schema now: get_parameter_options.';

/** Whether the document has an operation of this id. */
export type HasOperation = (operationId: string) => boolean;

/** What a model reads of a parameter or a property, with the notes about its values. */
export function describedText(node: JsonObject, has: HasOperation): string {
  const choice = choiceOf(node);
  const shape = shapeOf(node);
  const notes = [
    ...(choice !== undefined && isListed(choice.node, node, has) ? [VALUES_NOTE] : []),
    ...(shape !== undefined && asks(shape, has) ? [SCHEMA_NOTE] : []),
  ];
  return sentences(textOf(node), ...notes);
}

function isListed(extension: JsonObject, node: JsonObject, has: HasOperation): boolean {
  if (helpersOf(extension).every((helper) => asks(helper, has))) return true;
  const older = node['x-ms-dynamic-values'];
  return isObject(older) && older !== extension && asks(older, has);
}

function asks({ operationId }: JsonObject, has: HasOperation): boolean {
  return typeof operationId === 'string' && has(operationId);
}

/** Requests: texts, values and open shapes by Microsoft's extensions; internal members are not asked for. */
export function requestDialect(references: () => References, has: HasOperation): SchemaDialect {
  return {
    refine(node) {
      const description = describedText(node, has);
      const values = node.enum === undefined && node.type !== 'array' ? microsoftValues(node) : [];
      const nothing = description === (node.description ?? '') && values.length === 0;
      if (nothing && !isDynamic(node)) return node;
      return {
        ...node,
        ...(description === '' ? {} : { description }),
        ...(values.length === 0 ? {} : { enum: values.map(({ value }) => value) }),
      };
    },
    hides: (property, target, required) => {
      const known = references();
      return (
        internalValue(known, property) !== undefined || isLeftOut(known, { ...target, ...property }, required)
      );
    },
  };
}

/** Answers: what is told at run time stays open. */
export function responseDialect(): SchemaDialect {
  return {
    refine(node) {
      const text = textOf(node);
      const said = text === '' || text === node.description ? node : { ...node, description: text };
      if (!isDynamic(node) || isObject(node.properties)) return said;
      return text === '' ? {} : { description: text };
    },
    hides: () => false,
  };
}

/**
 * Makes room for what only run time tells: an object whose schema another operation gives takes any member. Changes
 * the document, which must be ours alone.
 */
export function openDynamicShapes(document: JsonObject): void {
  const seen = new Set<object>();
  const pending: unknown[] = [document];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node === null || typeof node !== 'object' || seen.has(node)) continue;
    seen.add(node);
    for (const child of Object.values(node)) if (typeof child === 'object') pending.push(child);
    if (Array.isArray(node)) continue;
    const { type } = node as JsonObject;
    if (!isDynamic(node as JsonObject) || (node as JsonObject).in !== undefined) continue;
    if (type === undefined || type === 'object')
      Object.assign(node, { type: 'object', additionalProperties: true });
  }
}
