import { canonicalHash, type Description, emptyDescription } from '../../operations/index.ts';
import type { SourceContext } from '../source-kind.ts';
import { listWorkflows } from './api.ts';
import type { N8nConfig } from './config.ts';
import { isWebhook, readDiscovered } from './discovered.ts';
import { readListed } from './listed.ts';
import { Reading } from './reading.ts';
import { isWanted, unmatched } from './select-workflows.ts';
import { readSidecar } from './sidecar.ts';
import type { Workflow } from './workflow.ts';

/**
 * The webhooks of an n8n instance as operations: what is listed by hand, then what its public API shows. A webhook that
 * cannot be used costs itself alone. Throws `source_unreadable`, `source_invalid`, `credentials_missing`.
 */
export async function describeN8n(config: N8nConfig, context: SourceContext): Promise<Description> {
  const reading = new Reading(config, context.name, await readSidecar(config.schemas, context));
  for (const listed of config.workflows ?? []) readListed(reading, listed);
  if (config.apiKey !== undefined) {
    const found = await listWorkflows(config, config.apiKey, context);
    // The API lists in no order that lasts; names must not depend on it.
    for (const workflow of [...found].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      readDiscovered(reading, workflow);
    }
    const active = found.filter((workflow) => workflow.active && !workflow.archived);
    const nothing = nothingFound(active, config);
    if (nothing !== undefined) reading.report('n8n-nothing-found', nothing);
    else for (const message of unmatched(active, config)) reading.report('n8n-selector-unmatched', message);
  }
  for (const key of reading.sidecar.unused()) {
    const message = `${config.schemas} speaks of ${JSON.stringify(key)}, which is no active workflow.`;
    reading.report('n8n-annotation-unused', message);
  }
  for (const [workflow, node] of reading.sidecar.unusedNodes()) {
    const message = `${config.schemas} speaks of the node ${JSON.stringify(node)} of ${JSON.stringify(workflow)}, which is no Webhook node that answers there: it holds for none.`;
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

/** Why an instance that answers gives no tool, where no single webhook says so. */
function nothingFound(found: readonly Workflow[], config: N8nConfig): string | undefined {
  const { tags = [], project } = config;
  if (found.length === 0) {
    const narrowed = [
      ...(tags.length === 0 ? [] : [`with the tags ${tags.join(', ')}`]),
      ...(project === undefined ? [] : [`of the project ${project}`]),
    ].join(' ');
    return `n8n lists no active workflow${narrowed === '' ? '' : ` ${narrowed}`}: activate or publish those that are meant${narrowed === '' ? '' : ', or correct tags and project'}.`;
  }
  const wanted = found.filter((workflow) => isWanted(workflow, config));
  if (wanted.length === 0)
    return `None of the ${found.length} active workflows is wanted: tags, include or exclude leave out all of them, such as ${JSON.stringify(found[0]!.name)}.`;
  const begins = wanted.some(({ nodes }) => nodes.some(isWebhook));
  return begins ? undefined : `None of the ${wanted.length} workflows begins with a Webhook node that is on.`;
}
