import type { CallToolResult } from '@modelcontextprotocol/server';
import { ERRORS } from '../../errors.ts';
import {
  type CallError,
  type CompletedResult,
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  type Tool,
} from '../../operations/index.ts';
import { dereferenced } from '../../operations/invocation/argument-schema.ts';

/** Where an answer stands that does not fit its schema. */
const UNFIT_KEY = 'toolcrib/unfit';

/** Where a failed call's code, message and next step stand for programs. */
export const ERROR_META_KEY = 'toolcrib/error';

/** Structured content may be any JSON value since 2026-07-28; before, an object. */
export interface ResultOptions {
  readonly tool: Tool | undefined;
  readonly anyStructured: boolean;
}

/** A finished call as MCP's tool result. */
export function toolResultOf(result: CompletedResult, options: ResultOptions): CallToolResult {
  const { tool, anyStructured } = options;
  if (result.error !== undefined) return failedResult(result, result.error, options);
  const declared = tool?.outputSchema !== undefined;
  const structured =
    declared && result.breaksPublished ? unfit(result, tool.outputSchema) : result.structured;
  const sent = structured !== undefined && (anyStructured || isObject(structured));
  if (declared && !sent) return unstructured(result);
  return {
    content: [...result.content] as CallToolResult['content'],
    ...(sent ? { structuredContent: structured as JsonObject } : {}),
    ...(result.meta === undefined ? {} : { _meta: result.meta }),
  };
}

/**
 * What clients that check structured content take in place of an answer that breaks the schema: many show a model
 * nothing else, so the answer stands under a key that the schema leaves open. Where it leaves none, the content alone has
 * it; what is wrong stands there in either case.
 */
function unfit({ structured, content }: CompletedResult, schema: JsonSchema | undefined): JsonObject {
  const answer = structured ?? content.find((block) => block.type === 'text')?.text;
  const open = answer !== undefined && schema !== undefined && leavesOpen(schema, schema);
  return open ? { [UNFIT_KEY]: answer } : {};
}

/** Parts within parts that are looked at. */
const MAX_DEPTH = 20;

/** Whether an object may have a member of any name and value. */
function leavesOpen(schema: Json, root: JsonSchema, depth = 0): boolean {
  if (!isObject(schema) || depth > MAX_DEPTH) return schema === true;
  const isOpen = (part: Json) => leavesOpen(part, root, depth + 1);
  const { $ref, ...target } = dereferenced(root, schema);
  return (
    $ref === undefined &&
    Object.entries(target).every(([keyword, value]) => {
      if (keyword === 'additionalProperties') return value === true || saysNothing(value);
      if (keyword === 'allOf') return Array.isArray(value) && value.every(isOpen);
      if (keyword === 'anyOf') return Array.isArray(value) && value.some(isOpen);
      return OPEN.has(keyword) && !(keyword === 'type' && ![value].flat().includes('object'));
    })
  );
}

function saysNothing(schema: Json): boolean {
  return isObject(schema) && Object.keys(schema).every((keyword) => TEXTS.has(keyword));
}

const TEXTS: ReadonlySet<string> = new Set(['title', 'description']);

/** Keywords that say nothing about members that they do not name. */
const OPEN: ReadonlySet<string> = new Set([
  '$schema',
  '$defs',
  'type',
  'title',
  'description',
  'properties',
  'required',
]);

/**
 * The details stand in `_meta`, and as structured content where there is none of the tool's own and the tool declares
 * none: clients check structured content against a declared schema even when the call failed.
 */
function failedResult(
  result: CompletedResult,
  error: CallError,
  { tool, anyStructured }: ResultOptions,
): CallToolResult {
  const details = detailsOf(error);
  const content = result.content.length > 0 ? result.content : [{ type: 'text', text: textOf(error) }];
  const { structured } = result;
  const isSent = structured !== undefined && (anyStructured || isObject(structured));
  const declared = tool?.outputSchema !== undefined;
  const given = isSent && !result.breaksPublished ? structured : declared ? undefined : { error: details };
  return {
    content: [...content] as CallToolResult['content'],
    isError: true,
    ...(given === undefined ? {} : { structuredContent: given as JsonObject }),
    _meta: { ...result.meta, [ERROR_META_KEY]: details },
  };
}

/** A tool that declares its output owes structured content; without it clients refuse the whole answer. */
function unstructured(result: CompletedResult): CallToolResult {
  const error: CallError = {
    code: 'output_invalid',
    message: 'The answer carries no structured content, though the tool declares an output schema.',
  };
  return {
    content: [...result.content, { type: 'text', text: textOf(error) }] as CallToolResult['content'],
    isError: true,
    _meta: { ...result.meta, [ERROR_META_KEY]: detailsOf(error) },
  };
}

function detailsOf(error: CallError): JsonObject {
  return {
    code: error.code,
    message: error.message,
    next: error.next ?? ERRORS[error.code].next,
    ...(error.status === undefined ? {} : { status: error.status }),
    ...(error.details === undefined ? {} : { details: error.details }),
  };
}

function textOf(error: CallError): string {
  return `${error.code}: ${error.message}\n${error.next ?? ERRORS[error.code].next}`;
}
