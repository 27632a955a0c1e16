import { join } from 'node:path';
import { type ArtifactStore, createArtifactStore } from '../artifacts/index.ts';
import type { LiveCatalog } from '../catalog/live-catalog.ts';
import type { Configuration } from '../config/configuration.ts';
import { createCredentialProvider } from '../credentials/index.ts';
import type { Egress } from '../egress/index.ts';
import { createFunctionExecutor } from '../executors/function/function-executor.ts';
import { createHttpExecutor } from '../executors/http/index.ts';
import type { Call, EventBody } from '../operations/index.ts';
import { refusal } from '../policy/index.ts';
import { normalizeResult } from '../results/index.ts';
import { createConnectionLimits } from '../router/connection-limits.ts';
import { authoriseLayer } from '../router/layers/authorise.ts';
import { deadlineLayer } from '../router/layers/deadline.ts';
import { executeCore } from '../router/layers/execute.ts';
import { recordLayer } from '../router/layers/record.ts';
import { validateArgumentsLayer } from '../router/layers/validate-arguments.ts';
import { validateOutputLayer } from '../router/layers/validate-output.ts';
import { createRouter, type Router } from '../router/router.ts';
import type { FunctionRegistry } from '../sources/function/registry.ts';
import { createLogger, type Logger } from '../telemetry/logger.ts';
import { createRedactor } from '../telemetry/redactor.ts';
import { createValidator } from '../validation/validator.ts';

export interface OnionParts {
  readonly configuration: Configuration;
  readonly catalog: LiveCatalog;
  readonly egress: Egress;
  readonly functions: FunctionRegistry;
  readonly record: (event: EventBody) => void;
  /** Default: to standard error, redacted. */
  readonly logger?: Logger;
}

/** What calls need; assembled when the first one comes. */
export interface Onion {
  readonly router: Router;
  readonly artifacts: ArtifactStore;
}

/** The one router: record → authorise → validate → validate output → deadline → limit → execute → normalise. */
export function assembleOnion(parts: OnionParts): Onion {
  const { configuration, catalog, egress, functions } = parts;
  const redactor = createRedactor();
  const logger = parts.logger ?? createLogger({ redactor });
  const record = (event: EventBody) => parts.record('message' in event ? redactor.redact(event) : event);
  const fault = (error: unknown, call: Call) =>
    logger.error({ err: error, call: call.id }, 'A call ended by a fault of the gateway.');
  const validator = createValidator();
  const limits = createConnectionLimits();
  const artifacts = createArtifactStore(join(configuration.stateDirectory, 'artifacts'));
  const core = executeCore({
    catalog: () => catalog.current,
    executors: {
      http: createHttpExecutor({ egress, credentials: createCredentialProvider({ egress, redactor }) }),
      function: createFunctionExecutor(functions),
    },
    limit: (connection, signal, task) => limits.run(connection, signal, task),
    normalize: (raw, operation, connection) => normalizeResult(raw, operation, connection.limits, artifacts),
  });
  const router = createRouter(
    () => catalog.current,
    [
      recordLayer(record, fault),
      authoriseLayer(refusal),
      validateArgumentsLayer(validator),
      validateOutputLayer(validator, configuration.output.strict),
      deadlineLayer,
    ],
    core,
  );
  return { router, artifacts };
}
