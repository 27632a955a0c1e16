import { ToolcribError } from '../../errors.ts';
import { isObject, type Json, type SecretReference } from '../../operations/index.ts';
import { trimEndOf } from '../../operations/text/trim-runs.ts';
import type { SourceContext } from '../source-kind.ts';
import type { N8nConfig } from './config.ts';
import { readWorkflow, type Workflow } from './workflow.ts';

/** The most that the public API gives at once. */
const PAGE_SIZE = 250;
const MAX_PAGES = 200;

/**
 * Every active workflow of the instance, page by page. Throws `source_unreadable` when the API refuses or cannot be
 * reached, `source_invalid` when what answers is no n8n.
 */
export async function listWorkflows(
  config: N8nConfig,
  apiKey: SecretReference,
  context: SourceContext,
): Promise<readonly Workflow[]> {
  const workflows = new Map<string, Workflow>();
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const location = pageUrl(config, cursor);
    const { data, nextCursor } = readPage(await readJson(location, apiKey, context), location);
    for (const item of data) {
      const workflow = readWorkflow(item);
      if (workflow !== undefined) workflows.set(workflow.id, workflow);
    }
    if (nextCursor === undefined) return [...workflows.values()];
    if (seen.has(nextCursor)) throw invalid(location, 'the same page came twice');
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  throw invalid(pageUrl(config, undefined), `there are more than ${MAX_PAGES} pages of workflows`);
}

function pageUrl({ url, tags = [], project, pinnedData }: N8nConfig, cursor: string | undefined): string {
  const query = new URLSearchParams({ active: 'true', limit: String(PAGE_SIZE) });
  // n8n cuts at every comma, and may have tags with one: those are looked for in what it lists.
  const asked = tags.filter((tag) => !tag.includes(','));
  if (asked.length > 0) query.set('tags', asked.join(','));
  if (project !== undefined) query.set('projectId', project);
  if (pinnedData === false) query.set('excludePinnedData', 'true');
  if (cursor !== undefined) query.set('cursor', cursor);
  return `${trimEndOf(url, '/')}/api/v1/workflows?${query}`;
}

async function readJson(location: string, apiKey: SecretReference, context: SourceContext): Promise<Json> {
  const bytes = await context.reader.read(location, context.signal, {
    headers: { 'X-N8N-API-KEY': apiKey },
    place: `sources.${context.name}.n8n.apiKey`,
  });
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Json;
  } catch {
    throw invalid(location, 'the answer is no JSON');
  }
}

function readPage(page: Json, location: string): { data: readonly Json[]; nextCursor: string | undefined } {
  if (!isObject(page) || !Array.isArray(page['data']))
    throw invalid(location, 'the answer lists no workflows');
  const { data, nextCursor } = page;
  return {
    data,
    nextCursor: typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : undefined,
  };
}

function invalid(location: string, what: string): ToolcribError {
  return new ToolcribError(
    'source_invalid',
    `Cannot list the workflows at ${location}: ${what}. Is this the base URL of an n8n instance?`,
    { location },
  );
}
