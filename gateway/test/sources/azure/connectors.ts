import { readFileSync } from 'node:fs';
import type { AzureInvocation, Binding, JsonObject, Operation } from '../../../src/operations/index.ts';
import { compileConnector } from '../../../src/sources/azure/compile-connector.ts';
import {
  type ConnectorDocument,
  openConnectorDocument,
} from '../../../src/sources/azure/connector-document.ts';
import { operationFor } from '../../../src/sources/azure/connector-operation.ts';

const FIXTURES = new URL('../../azure-seed/fixtures/', import.meta.url);

/** A connector's Swagger of our own, fresh for each caller. */
export function fixture(name: 'mini-mail' | 'mini-chat'): JsonObject {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FIXTURES), 'utf8'));
}

export function openDocument(swagger: object, api = 'mail'): ConnectorDocument {
  return openConnectorDocument(structuredClone(swagger), { api, location: `${api}.json` });
}

export interface Compiled {
  readonly document: ConnectorDocument;
  readonly operations: readonly Operation[];
  /** By operationId. Throws where it is no tool. */
  readonly operation: (operationId: string) => ReadOperation;
  readonly codes: () => readonly string[];
}

/** An operation taken apart. */
export interface ReadOperation {
  readonly operation: Operation;
  readonly invocation: AzureInvocation;
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required: readonly string[];
  readonly bindings: readonly Binding[];
  /** The binding of a wire name. */
  readonly binding: (name: string) => Binding | undefined;
}

export function compileSwagger(swagger: object, api = 'mail', options = {}): Compiled {
  const document = openDocument(swagger, api);
  const owner = { source: 'office', connection: api, displayName: document.title };
  const operations = compileConnector(document, options).operations.map((one) => operationFor(one, owner));
  return {
    document,
    operations,
    operation(operationId) {
      const found = operations.find(({ id }) => id === `${api}.${operationId}`);
      if (found === undefined) throw new Error(`${operationId} is no tool`);
      return readOperation(found);
    },
    codes: () => document.log.list().map(({ code }) => code),
  };
}

export function readOperation(operation: Operation): ReadOperation {
  const invocation = operation.invocation as AzureInvocation;
  return {
    operation,
    invocation,
    properties: operation.input.properties as Record<string, JsonObject>,
    required: (operation.input.required ?? []) as string[],
    bindings: invocation.bindings,
    binding: (name) => invocation.bindings.find((one) => one.name === name),
  };
}

/** A document with one operation at POST /{connectionId}/things. */
export function oneOperation(operation: object, more: object = {}, path = '/{connectionId}/things'): object {
  return {
    swagger: '2.0',
    info: { title: 'Things', version: '1' },
    paths: {
      [path]: {
        post: { operationId: 'Act', summary: 'Act', responses: { 200: { description: 'ok' } }, ...operation },
      },
    },
    ...more,
  };
}
