import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CompletedResult, createGateway, type EmbedOptions, type Gateway } from '../../../src/index.ts';
import type { ClientFacts, JsonObject, Principal } from '../../../src/operations/index.ts';
import { removeTree } from '../../../src/skills/frozen/remove-tree.ts';

export const TOPOLOGIES = ['flat', 'hybrid', 'base', 'categories', 'search', 'discover', 'auto'] as const;

/** How an operation is called by the tools of a topology. */
export const WAYS: ReadonlyArray<{
  readonly topology: string;
  readonly tool: string;
  readonly name: 'operation' | 'name';
}> = [
  { topology: 'base', tool: 'call_api_endpoint', name: 'operation' },
  { topology: 'hybrid', tool: 'call_endpoint', name: 'operation' },
  { topology: 'search', tool: 'call_tool', name: 'name' },
];

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A service on the loopback interface and gateways in front of it, in a folder that goes with them. */
export class AttackedGateways {
  readonly asked: string[] = [];
  answer: Answer = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":7}');
  readonly #folder: string;
  readonly #service: Server;
  readonly #opened: Gateway[] = [];

  private constructor(folder: string, service: Server) {
    this.#folder = folder;
    this.#service = service;
    service.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.asked.push(`${request.method} ${request.url}`);
      this.answer(request, response);
    });
  }

  static async start(): Promise<AttackedGateways> {
    const service = createServer();
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    return new AttackedGateways(await mkdtemp(join(tmpdir(), 'toolcrib-attacked-')), service);
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#service.address() as AddressInfo).port}`;
  }

  /** @param documents by the name of their source */
  async open(
    documents: Readonly<Record<string, object>>,
    {
      sources: settings = {},
      ...more
    }: { sources?: Readonly<Record<string, object>>; [key: string]: unknown } = {},
    options: EmbedOptions = {},
  ): Promise<Gateway> {
    const sources: Record<string, object> = {};
    for (const [name, document] of Object.entries(documents)) {
      await writeFile(join(this.#folder, `${name}.json`), JSON.stringify(document));
      sources[name] = {
        openapi: `${name}.json`,
        prefix: 'none',
        baseUrl: this.baseUrl,
        ...settings[name],
      };
    }
    const gateway = await createGateway(
      {
        store: `sqlite:${join(this.#folder, 'crib.db')}`,
        watch: false,
        cache: false,
        sources,
        ...more,
      } as never,
      { baseDirectory: this.#folder, ...options },
    );
    this.#opened.push(gateway);
    return gateway;
  }

  async stop(): Promise<void> {
    for (const gateway of this.#opened) await gateway.close();
    this.#service.closeAllConnections();
    await new Promise((resolve) => this.#service.close(resolve));
    await removeTree(this.#folder);
  }
}

export interface Caller {
  readonly principal?: Principal;
  readonly client?: ClientFacts;
  readonly dryRun?: boolean;
  readonly run?: string;
}

export async function callTool(
  gateway: Gateway,
  tool: string,
  args: object,
  caller: Caller = {},
): Promise<CompletedResult> {
  return (await gateway.call({ tool, arguments: args as JsonObject, ...caller })) as CompletedResult;
}

export function textOf({ content }: CompletedResult): string {
  return content.map((block) => ('text' in block ? block.text : '')).join('\n');
}

/** An operation of a document. */
export function operation(operationId: string, more: object = {}): object {
  return {
    operationId,
    summary: `Does ${operationId}.`,
    responses: { 200: { description: 'ok', content: { 'application/json': { schema: {} } } } },
    ...more,
  };
}
