import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { createGateway, type Gateway, type GatewayOptions, loadConfiguration } from '../src/index.ts';

/** A document with one GET an operation, behind a bearer token. */
export function documentWith(server: string, ...operations: string[]): string {
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Api', version: '1' },
    servers: [{ url: server }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    paths: Object.fromEntries(
      operations.map((id) => [
        `/${id}`,
        {
          get: { operationId: id, security: [{ bearer: [] }], responses: { 200: { description: 'ok' } } },
        },
      ]),
    ),
  });
}

/** A folder with a configuration that gateways follow; gone after the test. `topologies` of one's own may be named there. */
export async function liveFolder(topologies: readonly string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-live-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'toolcrib.yaml');
  const load = () =>
    loadConfiguration({
      file,
      cwd: folder,
      env: {},
      topologies,
      overrides: { stateDirectory: join(folder, 'state') },
    });
  return {
    folder,
    file,
    load,
    put: (name: string, text: string) => writeFile(join(folder, name), text),
    configure: (configuration: object) =>
      writeFile(file, stringify({ store: 'none', cache: false, ...configuration })),
    /** Ends with the test, before the folder does. */
    async start(options: GatewayOptions = {}): Promise<Gateway> {
      const gateway = await createGateway(await load(), { reload: load, ...options });
      onTestFinished(() => gateway.close());
      return gateway;
    },
  };
}

export const toolNames = (gateway: Gateway) => gateway.view().tools.map(({ name }) => name);
