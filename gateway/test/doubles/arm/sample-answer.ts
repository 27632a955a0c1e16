import { type Json, type JsonObject, listOf, objectOf, textOf } from './json.ts';
import {
  allowedValues,
  type ConnectorOperation,
  isBytes,
  resolved,
  type SwaggerDocument,
  schemaView,
  typeOf,
} from './swagger.ts';

/** What a connector answers; `body` undefined: nothing. */
export interface SampleAnswer {
  readonly status: number;
  readonly body: Json | undefined;
}

const DEPTH = 6;
const BYTES = Buffer.from('bytes of the double').toString('base64');

/** An answer that fits the operation's first 2xx response, the same each time. */
export function sampleAnswer(document: SwaggerDocument, operation: ConnectorOperation): SampleAnswer {
  const responses = objectOf(operation.node.responses);
  const status = Object.keys(responses).find((code) => /^2\d\d$/.test(code)) ?? '200';
  const { schema } = resolved(document, responses[status] ?? responses.default);
  if (schema === undefined || status === '204') return { status: Number(status), body: undefined };
  const view = schemaView(document, schema);
  if (isBytes(view) || view.format === 'byte')
    return { status: Number(status), body: { '$content-type': 'application/octet-stream', $content: BYTES } };
  return { status: Number(status), body: sampleValue(document, schema, 'value', DEPTH) };
}

/** A value that fits a schema; `name` colours its texts. */
export function sampleValue(document: SwaggerDocument, schema: unknown, name: string, depth: number): Json {
  const view = schemaView(document, schema);
  const allowed = allowedValues(view);
  const type = typeOf(view);
  if (allowed !== undefined && type !== 'array') return allowed[0]!;
  if (type === 'array')
    return depth <= 0 ? [] : [sampleValue(document, view.items, name.replace(/s$/, ''), depth - 1)];
  if (type === 'object' || type === '') return sampleObject(document, view, depth);
  return sampleScalar(view, type, name);
}

function sampleObject(document: SwaggerDocument, view: JsonObject, depth: number): JsonObject {
  const required = new Set(listOf(view.required).map(String));
  const members = Object.entries(objectOf(view.properties)).filter(
    ([name]) => depth > 0 || required.has(name),
  );
  // What calls itself forever ends with an empty object.
  if (depth < -3) return {};
  return Object.fromEntries(
    members.map(([name, property]) => [name, sampleValue(document, property, name, depth - 1)]),
  );
}

function sampleScalar(view: JsonObject, type: string, name: string): Json {
  const minimum = typeof view.minimum === 'number' ? view.minimum : 0;
  if (type === 'integer') return Math.max(Math.ceil(minimum), 1);
  if (type === 'number') return Math.max(minimum, 1.5);
  if (type === 'boolean') return true;
  const text = TEXTS[textOf(view.format)] ?? `sample ${name}`;
  const length = typeof view.minLength === 'number' ? view.minLength : 0;
  const cut = typeof view.maxLength === 'number' ? view.maxLength : text.length;
  return text.padEnd(length, '.').slice(0, Math.max(cut, length));
}

const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-03-04T05:06:07Z',
  date: '2026-03-04',
  email: 'ada@example.com',
  uri: 'https://example.com/thing',
  url: 'https://example.com/thing',
  uuid: '0d5f2f7e-5a43-4f7c-9a55-0f5b3c9d1e2a',
  binary: BYTES,
  byte: BYTES,
};
