import { buildCatalog } from '../../src/catalog/build.ts';
import { compileSource } from '../../src/compiler/compile-source.ts';
import type {
  CompletedResult,
  Operation,
  OperationQuery,
  StoredQuery,
  VisibleOperation,
} from '../../src/operations/index.ts';
import { purposeOf } from '../../src/topology/finding/purpose.ts';
import {
  isTopologyTool,
  type OperationSet,
  type OwnAnswer,
  type ToolContext,
  type TopologyTool,
} from '../../src/topology/topology.ts';
import { catalogPart, compiledSource, plainOperation } from '../catalog/compiled-source.ts';
import { describeText, openapi } from '../sources/openapi/describing.ts';

/** The operations of a document as they are compiled, under the name of a source. */
export async function operationsOf(
  source: string,
  document: object | string,
  prefix?: string,
): Promise<readonly VisibleOperation[]> {
  const description = await describeText(document);
  const operations = description.operations.map((operation) => ({ ...operation, source }));
  const compiled = compileSource(
    { ...description, operations },
    {
      source,
      kind: 'openapi',
      profile: 'portable',
      outputSchemas: 'relaxed',
      maxOutputSchemaSize: 2000,
      ...(prefix === undefined ? {} : { prefix }),
    },
  );
  return buildCatalog([catalogPart(compiled)], 'test').entries;
}

/** So many operations that differ in nothing but their names. */
export function plainOperations(
  source: string,
  count: number,
  more: Partial<Operation> = {},
): VisibleOperation[] {
  return Array.from({ length: count }, (_, index) =>
    visible({ ...plainOperation(`${source}_op${String(index).padStart(4, '0')}`, source), ...more }),
  );
}

/** One operation whose tool is called as itself. */
export function visible(operation: Operation): VisibleOperation {
  return buildCatalog([catalogPart(compiledSource(operation.source, [operation]))], 'test').entries[0]!;
}

/** What a caller may call; its search finds what says the most of the words. */
export function setOf(...groups: ReadonlyArray<readonly VisibleOperation[]>): OperationSet {
  const operations = groups.flat().sort((a, b) => (a.name < b.name ? -1 : 1));
  const names = new Map<string, VisibleOperation>();
  const ids = Map.groupBy(operations, ({ facts }) => facts.id);
  for (const [id, all] of ids) if (all.length === 1) names.set(id, all[0]!);
  for (const one of operations) names.set(one.name, one).set(one.operation, one);
  return {
    operations,
    sources: [...new Set(operations.map(({ source }) => source))].map((name) => ({ name, kind: 'openapi' })),
    find: (name) => names.get(name),
    search: async (query) => found(operations, query),
    roles: () => [],
  };
}

function found(
  operations: readonly VisibleOperation[],
  { text = '', source, method, limit = 8 }: OperationQuery,
) {
  const words = text.toLowerCase().split(/\W+/).filter(Boolean);
  return operations
    .filter((one) => source === undefined || one.source === source)
    .filter(({ facts }) => method === undefined || facts.http?.method === method)
    .map((operation) => {
      const said = `${operation.name} ${purposeOf(operation, 400)}`.toLowerCase();
      return { operation, score: words.filter((word) => said.includes(word)).length };
    })
    .filter(({ score }) => words.length === 0 || score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

export interface ContextBench extends ToolContext {
  readonly activated: string[][];
  readonly stored: StoredQuery[];
}

/** What a tool is given while it is called; `follows`: the client follows changes of its list. */
export function contextBench({ follows = true }: { readonly follows?: boolean } = {}): ContextBench {
  const shown = new Set<string>();
  const activated: string[][] = [];
  const stored: StoredQuery[] = [];
  return {
    activated,
    stored,
    signal: new AbortController().signal,
    firstShown(operation) {
      const first = !shown.has(operation);
      shown.add(operation);
      return first;
    },
    async activate(operations) {
      activated.push([...operations]);
      return follows;
    },
    async queryStored(query): Promise<CompletedResult> {
      stored.push(query);
      return { kind: 'completed', content: [{ type: 'text', text: 'rows' }] };
    },
  };
}

export function toolNamed(tools: ReadonlyArray<{ readonly name: string }>, name: string): TopologyTool {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined || !isTopologyTool(tool as TopologyTool)) throw new Error(`no tool ${name}`);
  return tool as TopologyTool;
}

/** The text that a tool answers itself. */
export async function answered(
  tool: TopologyTool,
  args: Parameters<TopologyTool['resolve']>[0],
  context: ToolContext = contextBench(),
): Promise<string> {
  return ((await tool.resolve(args, context)) as OwnAnswer).text;
}

/** A list with a handful of parameters, one record of it, and a change: what an ordinary API is made of. */
export const TICKETS = openapi({
  '/projects/{project}/tickets': {
    get: {
      operationId: 'listTickets',
      summary: 'Lists tickets of a project, newest first.',
      description: 'Lists tickets of a project, newest first. Closed tickets are left out unless asked for.',
      tags: ['tickets'],
      parameters: [
        { ...parameter('project', 'Key of the project'), in: 'path', required: true },
        parameter('status', 'Only tickets in this state', { enum: ['open', 'waiting', 'closed'] }),
        parameter('assignee', 'Only tickets of this user id'),
        parameter('since', 'Only tickets changed after this moment', { format: 'date-time' }),
        parameter('q', 'Words that subject or text must have'),
        parameter('limit', 'Tickets of one page', { type: 'integer', minimum: 1, maximum: 100 }),
      ],
      responses: { 200: { description: 'Tickets' } },
    },
    post: {
      operationId: 'createTicket',
      summary: 'Opens a ticket.',
      tags: ['tickets'],
      parameters: [{ ...parameter('project', 'Key of the project'), in: 'path', required: true }],
      requestBody: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['subject'],
              properties: { subject: { type: 'string' }, text: { type: 'string' } },
            },
          },
        },
      },
      responses: { 201: { description: 'Opened' } },
    },
  },
  '/tickets/{id}': {
    get: {
      operationId: 'getTicket',
      summary: 'Reads one ticket with its history.',
      parameters: [{ ...parameter('id', 'Number of the ticket'), in: 'path', required: true }],
      responses: { 200: { description: 'The ticket' } },
    },
    delete: {
      operationId: 'deleteTicket',
      summary: 'Deletes a ticket for good.',
      parameters: [{ ...parameter('id', 'Number of the ticket'), in: 'path', required: true }],
      responses: { 204: { description: 'Gone' } },
    },
  },
});

function parameter(name: string, description: string, schema: object = {}): object {
  return { name, in: 'query', description, schema: { type: 'string', ...schema } };
}
