import { join } from 'node:path';
import { createArtifactStore } from '../artifacts/index.ts';
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
import { createValidator } from '../validation/validator.ts';

export interface OnionParts {
  readonly configuration: Configuration;
  readonly catalog: LiveCatalog;
  readonly egress: Egress;
  readonly functions: FunctionRegistry;
  readonly record: (event: EventBody) => void;
  readonly fault: (error: unknown, call: Call) => void;
}

/** The one router: record → authorise → validate → validate output → deadline → limit → execute → normalise. */
export function assembleRouter({
  configuration,
  catalog,
  egress,
  functions,
  record,
  fault,
}: OnionParts): Router {
  const validator = createValidator();
  const limits = createConnectionLimits();
  const artifacts = createArtifactStore(join(configuration.stateDirectory, 'artifacts'));
  const core = executeCore({
    catalog: () => catalog.current,
    executors: {
      http: createHttpExecutor({ egress, credentials: createCredentialProvider({ egress }) }),
      function: createFunctionExecutor(functions),
    },
    limit: (connection, signal, task) => limits.run(connection, signal, task),
    normalize: (raw, operation, connection) => normalizeResult(raw, operation, connection.limits, artifacts),
  });
  return createRouter(
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
}
