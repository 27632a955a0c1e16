import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway, type Gateway } from '../../../src/index.ts';
import { azureAt } from '../../azure-seed/support/office.ts';
import { type ArmDouble, type ArmOptions, type ConnectorDocument, startArm } from '../../doubles/arm/arm.ts';
import { keptOperations } from './documents.ts';

/** A gateway with one source of kind `azure`, and a connection to each connector, each named like its API. */
export interface ServedConnectors {
  readonly arm: ArmDouble;
  readonly gateway: Gateway;
  close(): Promise<void>;
}

export interface ServedOptions {
  readonly arm?: ArmOptions;
  /** Keys of the source's `azure` beside where the group is. */
  readonly azure?: object;
}

/** Real from the gateway's door to the wire; only the group behind it is a double. */
export async function serveConnectors(
  connectors: readonly ConnectorDocument[],
  options: ServedOptions = {},
): Promise<ServedConnectors> {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-connectors-'));
  const connections = connectors.map(({ name }) => ({ name, api: name }));
  const arm = await startArm({ connectors, connections, fillerApis: 0, ...options.arm });
  const close = async (gateway?: Gateway) => {
    await gateway?.close();
    await arm.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const gateway = await createGateway(
      {
        topology: 'flat',
        stateDirectory: join(folder, 'state'),
        watch: false,
        // raw proxies are no tools unless somebody names them
        sources: { office: { azure: azureAt(arm, options.azure), access: rawProxies(connectors) } },
      } as never,
      { baseDirectory: folder, azure: { token: async () => arm.token() } },
    );
    return { arm, gateway, close: () => close(gateway) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Rules that make tools of what takes any request: an operator who wants them has to name each. */
export const rawProxies = (connectors: readonly ConnectorDocument[]) =>
  connectors.flatMap(({ name, swagger }) =>
    keptOperations(swagger)
      .filter(({ id }) => /^(?:HttpRequest$|mcp_)/.test(id))
      .map(({ id }) => ({ operation: `${name}.${id}`, access: 'delete' })),
  );
