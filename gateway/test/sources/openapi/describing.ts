import { readFile } from 'node:fs/promises';
import type {
  Binding,
  Description,
  HttpInvocation,
  JsonObject,
  Operation,
} from '../../../src/operations/index.ts';
import { describeOpenApi } from '../../../src/sources/openapi/describe.ts';
import type { OpenApiSettings } from '../../../src/sources/openapi/options.ts';
import type { SourceContext, SourceReader } from '../../../src/sources/source-kind.ts';

/** Files on disk, http(s) by fetch: what the product's reader does without its guards. */
export const plainReader: SourceReader = {
  async read(location, signal) {
    if (!/^https?:/.test(location)) return readFile(location, { signal });
    const response = await fetch(location, { signal });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  },
};

export function contextFor(baseDirectory: string, reader: SourceReader = plainReader): SourceContext {
  return { name: 'test', baseDirectory, reader, signal: new AbortController().signal };
}

/** Describes a document that is given as a value or as text, without any file. */
export function describeText(
  document: object | string,
  options: Omit<OpenApiSettings, 'document'> = {},
  files: Readonly<Record<string, object | string>> = {},
): Promise<Description> {
  const text = (value: object | string): string =>
    typeof value === 'string' ? value : JSON.stringify(value);
  const reader: SourceReader = {
    async read(location) {
      const name = location.replace(/^\/base\//, '');
      const found = name === 'main' ? document : files[name];
      if (found === undefined) throw new Error('there is no such file.');
      return Buffer.from(text(found));
    },
  };
  return describeOpenApi({ document: 'main', ...options }, contextFor('/base', reader));
}

export function openapi(paths: object, more: object = {}): object {
  return {
    openapi: '3.0.3',
    info: { title: 'Test', version: '1' },
    servers: [{ url: 'https://api.example' }],
    paths,
    ...more,
  };
}

export function swagger(paths: object, more: object = {}): object {
  return {
    swagger: '2.0',
    info: { title: 'Test', version: '1' },
    host: 'api.example',
    schemes: ['https'],
    paths,
    ...more,
  };
}

export interface OnlyOperation {
  readonly description: Description;
  readonly operation: Operation;
  readonly invocation: HttpInvocation;
  readonly input: JsonObject;
  readonly properties: JsonObject;
  readonly bindings: readonly Binding[];
  readonly codes: readonly string[];
}

/** The single operation of a document. */
export async function describeOne(
  document: object | string,
  options: Omit<OpenApiSettings, 'document'> = {},
): Promise<OnlyOperation> {
  const description = await describeText(document, options);
  const [operation] = description.operations;
  if (operation === undefined || description.operations.length !== 1) {
    throw new Error(`expected one operation: ${JSON.stringify(description.skipped)}`);
  }
  const invocation = operation.invocation as HttpInvocation;
  return {
    description,
    operation,
    invocation,
    input: operation.input,
    properties: operation.input.properties as JsonObject,
    bindings: invocation.bindings,
    codes: description.diagnostics.map((diagnostic) => diagnostic.code),
  };
}

/** One GET or POST around an operation. */
export const get = (operation: object, path = '/a'): object => ({ [path]: { get: operation } });
export const post = (operation: object, path = '/a'): object => ({ [path]: { post: operation } });
export const jsonBody = (schema: object, required = true): object => ({
  requestBody: { required, content: { 'application/json': { schema } } },
});
export const jsonResponse = (schema: object): object => ({
  responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
});
