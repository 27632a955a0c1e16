import { join } from 'node:path';
import { type ArtifactStore, createArtifactStore } from '../artifacts/index.ts';
import type { LiveCatalog } from '../catalog/live-catalog.ts';
import type { Configuration } from '../config/configuration.ts';
import { createCredentialProvider } from '../credentials/index.ts';
import type { Egress } from '../egress/index.ts';
import { ToolcribError } from '../errors.ts';
import type { Executor } from '../executors/executor.ts';
import { createFunctionExecutor } from '../executors/function/function-executor.ts';
import { createHttpExecutor } from '../executors/http/index.ts';
import type { Call, GrantSource, Principal } from '../operations/index.ts';
import { refuse } from '../policy/index.ts';
import { normalizeResult } from '../results/index.ts';
import { createConnectionLimits } from '../router/connection-limits.ts';
import { authoriseLayer } from '../router/layers/authorise.ts';
import { deadlineLayer } from '../router/layers/deadline.ts';
import { executeCore } from '../router/layers/execute.ts';
import { type Append, recordLayer } from '../router/layers/record.ts';
import { validateArgumentsLayer } from '../router/layers/validate-arguments.ts';
import { validateOutputLayer } from '../router/layers/validate-output.ts';
import type { RateLimiter } from '../router/rate-limit.ts';
import { createRouter, type Router } from '../router/router.ts';
import type { FunctionRegistry } from '../sources/function/registry.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Redactor } from '../telemetry/redactor.ts';
import type { GenericTool } from '../topology/generic/generic-tools.ts';
import { createValidator } from '../validation/validator.ts';
import { createAccounts } from './accounts.ts';
import { ownedArtifacts } from './owned-artifacts.ts';
import { createPathGuard } from './path-guard.ts';
import { reachingTool } from './reaching-tool.ts';

export interface OnionParts {
  readonly configuration: Configuration;
  readonly catalog: LiveCatalog;
  readonly egress: Egress;
  readonly functions: FunctionRegistry;
  readonly grants: GrantSource;
  readonly append: Append;
  readonly rates: RateLimiter;
  /** A generic tool as this principal sees it. */
  readonly generic: (name: string, principal: Principal) => GenericTool | undefined;
  readonly redactor: Redactor;
  readonly logger: Logger;
}

/** What calls need; assembled when the first one comes. */
export interface Onion {
  readonly router: Router;
  readonly artifacts: ArtifactStore;
}

const notYet: Executor = {
  execute: async ({ tool }) => {
    throw new ToolcribError('internal', `Nothing carries out ${tool}.`);
  },
};

/** The one router: record → authorise → validate → validate output → deadline → limit → execute → normalise. */
export function assembleOnion(parts: OnionParts): Onion {
  const { configuration, catalog, egress, functions, grants, append, rates, redactor, logger } = parts;
  const fault = (error: unknown, call: Call) =>
    logger.error({ err: error, call: call.id }, 'A call ended by a fault of the gateway.');
  const validator = createValidator();
  const limits = createConnectionLimits();
  const artifacts = createArtifactStore(join(configuration.stateDirectory, 'artifacts'));
  const core = executeCore({
    executors: {
      http: createHttpExecutor({
        egress,
        credentials: createCredentialProvider({ egress, redactor }),
        guard: createPathGuard(() => catalog.current),
        admit: ({ name, rateLimit }, signal, deadline) =>
          rateLimit === undefined ? undefined : rates.admit(name, rateLimit, signal, deadline),
      }),
      function: createFunctionExecutor(functions),
      mcp: notYet,
      web: notYet,
    },
    limit: (connection, signal, task) => limits.run(connection, signal, task),
    normalize: (raw, { operation, principal }, connection) =>
      normalizeResult(raw, operation, connection.limits, ownedArtifacts(artifacts, principal)),
  });
  const router = createRouter({
    catalog: () => catalog.current,
    reaching: (name, principal) => {
      const tool = parts.generic(name, principal);
      return tool && reachingTool(tool, validator);
    },
    layers: [
      recordLayer(append, fault),
      authoriseLayer({
        grants: (principal) => grants.fresh(principal),
        refuse,
        connection: createAccounts(() => catalog.current, configuration),
      }),
      validateArgumentsLayer(validator),
      validateOutputLayer(validator, configuration.output.strict),
      deadlineLayer,
    ],
    core,
  });
  return { router, artifacts };
}
