import type { AzureRoom } from '../../connectors/index.ts';
import type { ArgumentAdvice } from '../../executors/azure/index.ts';
import type { Executor } from '../../executors/executor.ts';
import type { AzureSettings, Connection, Principal } from '../../operations/index.ts';
import { createValidator } from '../../validation/validator.ts';
import { type ConnectorCatalogParts, createConnectorCatalog } from './connector-catalog.ts';

export interface ConnectorExecutorParts extends ConnectorCatalogParts {
  readonly room: (connection: Connection) => Promise<AzureRoom>;
  readonly settings: (source: string) => AzureSettings;
}

export interface OpenConnectorExecutors {
  readonly executor: Executor;
  readonly ownTools: Executor;
  readonly advise: ArgumentAdvice;
}

/** What carries out connectors' operations and the own tools; both ask helper operations through one memory. */
export async function openConnectorExecutors(parts: ConnectorExecutorParts): Promise<OpenConnectorExecutors> {
  const [azure, { createOwnTools }] = await Promise.all([
    import('../../executors/azure/index.ts'),
    import('../../connectors/index.ts'),
  ]);
  const { room, settings, grants } = parts;
  // the authorise layer has just asked the store for what is known here
  const mayManage = (principal: Principal) =>
    azure.isAdmin({ ...principal, roles: grants.known(principal).roles });
  const helpers = azure.createHelperCalls({ rooms: room });
  const schemas = azure.createDynamicSchemas(helpers);
  const validator = createValidator();
  return {
    executor: azure.createAzureExecutor({
      rooms: room,
      helpers,
      schemas,
      settings: ({ source }) => settings(source),
      mayConsent: mayManage,
      validate(schema, value) {
        const outcome = validator.validate(schema, value);
        return outcome.valid ? [] : outcome.errors;
      },
    }),
    ownTools: createOwnTools({
      room,
      catalog: createConnectorCatalog(parts),
      parameterOptions: azure.createParameterOptions(helpers, schemas),
      mayManage,
    }),
    advise: azure.createArgumentAdvice(helpers),
  };
}
