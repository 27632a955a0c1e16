import { resolve } from 'node:path';
import {
  canonicalHash,
  type Description,
  emptyDescription,
  type SecretReference,
} from '../../operations/index.ts';
import type { SourceContext } from '../source-kind.ts';
import { listWorkflows } from './api.ts';
import type { N8nConfig } from './config.ts';
import { readDiscovered } from './discovered.ts';
import { readListed } from './listed.ts';
import { Reading } from './reading.ts';
import { readSidecar } from './sidecar.ts';

/**
 * The webhooks of an n8n instance as operations: what is listed by hand, then what its public API shows. A webhook that
 * cannot be used costs itself alone. Throws `source_unreadable`, `source_invalid`, `credentials_missing`.
 */
export async function describeN8n(config: N8nConfig, context: SourceContext): Promise<Description> {
  const reading = new Reading(config, context.name, await readSidecar(config.schemas, context));
  for (const listed of config.workflows ?? []) readListed(reading, listed);
  if (config.apiKey !== undefined) {
    const apiKey = absolute(config.apiKey, context.baseDirectory);
    const found = await listWorkflows(config, apiKey, context);
    // The API lists in no order that lasts; names must not depend on it.
    for (const workflow of [...found].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      readDiscovered(reading, workflow);
    }
  }
  for (const key of reading.sidecar.unused()) {
    const message = `${config.schemas} speaks of ${JSON.stringify(key)}, which is no active workflow.`;
    reading.report('n8n-annotation-unused', message);
  }
  const operations = [...reading.operations.values()];
  const securitySchemes = reading.schemes.all();
  return {
    ...emptyDescription(canonicalHash({ operations, securitySchemes })),
    operations,
    securitySchemes,
    skipped: reading.skipped,
    diagnostics: reading.diagnostics,
  };
}

function absolute(secret: SecretReference, baseDirectory: string): SecretReference {
  return typeof secret === 'object' && 'file' in secret
    ? { file: resolve(baseDirectory, secret.file) }
    : secret;
}
