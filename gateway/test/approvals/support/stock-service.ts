import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An API whose deletes are counted by what they deleted. */
export interface StockService {
  readonly url: string;
  readonly deleted: string[];
  close(): Promise<void>;
}

export async function startStock(): Promise<StockService> {
  const deleted: string[] = [];
  const server = createServer((request, response) => {
    const [, id] = /^\/items\/(\d+)$/.exec(request.url ?? '') ?? [];
    if (request.method === 'DELETE' && id !== undefined) deleted.push(id);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ done: true }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deleted,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

/** Its description; `summary` is part of the tool's definition. */
export function stockDocument(summary = 'Delete an item'): string {
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  const responses = { 200: { description: 'Deleted.' } };
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Stock', version: '1' },
    paths: { '/items/{id}': { delete: { operationId: 'deleteItem', summary, parameters, responses } } },
  });
}
