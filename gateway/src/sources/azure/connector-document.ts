import { ToolcribError } from '../../errors.ts';
import type { HintReader } from '../../hints/index.ts';
import { isObject, type JsonObject } from '../../operations/index.ts';
import { DiagnosticLog } from '../openapi/diagnostics.ts';
import { type ListedFault, type ListedOperation, listOperations } from '../openapi/path-items.ts';
import { parseDocument } from '../openapi/read/parse-document.ts';
import type { Reading } from '../openapi/reading.ts';
import { readingOfValue } from '../openapi/value-reading.ts';
import { openDynamicShapes, requestDialect, responseDialect } from './dialect.ts';
import type { HelperInputs } from './helper-calls.ts';
import { parseLenientJson } from './lenient-json.ts';
import { operationIdOf } from './marks.ts';

/** One managed API's Swagger, read and ready to be compiled from; kept between calls by whoever needs helpers. */
export interface ConnectorDocument {
  /** Name of the managed API, e.g. `office365`. */
  readonly api: string;
  /** The API's own title, else its name. */
  readonly title: string;
  readonly reading: Reading;
  readonly log: DiagnosticLog;
  readonly operations: readonly ListedOperation[];
  readonly faults: readonly ListedFault[];
  /** The first of each operationId. */
  readonly byId: ReadonlyMap<string, ListedOperation>;
  /** What helper operations can be asked with, as far as it was looked up. */
  readonly inputs: Map<string, HelperInputs>;
}

export interface ReadOptions {
  readonly api: string;
  /** For messages; never a secret. */
  readonly location: string;
  readonly hintReaders?: readonly HintReader[];
}

/**
 * Reads the Swagger of a managed API: the document itself, or ARM's answer with `properties.swagger`. Text that is
 * not quite JSON is read with a diagnostic. Throws `source_invalid`.
 */
export async function readConnectorDocument(
  bytes: Uint8Array | string,
  options: ReadOptions,
): Promise<ConnectorDocument> {
  const log = new DiagnosticLog();
  const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8');
  return openDocument(swaggerOf(await parse(text, options.location, log)), options, log);
}

/** The same of a value, which is taken over: whoever passes it uses it no more. */
export function openConnectorDocument(swagger: unknown, options: ReadOptions): ConnectorDocument {
  return openDocument(swaggerOf(swagger), options, new DiagnosticLog());
}

function openDocument(
  root: JsonObject | undefined,
  options: ReadOptions,
  log: DiagnosticLog,
): ConnectorDocument {
  const { api, location, hintReaders } = options;
  if (root === undefined)
    throw new ToolcribError('source_invalid', `The Swagger of ${api} (${location}) has no paths.`, {
      location,
    });
  openDynamicShapes(root);
  const byId = new Map<string, ListedOperation>();
  const reading: Reading = readingOfValue(root, {
    location,
    log,
    dialects: {
      request: requestDialect(
        () => reading.references,
        (operationId) => byId.has(operationId),
      ),
      response: responseDialect(),
    },
    ...(hintReaders === undefined ? {} : { hintReaders }),
  });
  const operations: ListedOperation[] = [];
  const faults: ListedFault[] = [];
  for (const listed of listOperations(reading)) {
    if ('reason' in listed) {
      faults.push(listed);
      continue;
    }
    operations.push(listed);
    const id = operationIdOf(listed.operation.node);
    if (id !== undefined && !byId.has(id)) byId.set(id, listed);
  }
  return { api, title: titleOf(root, api), reading, log, operations, faults, byId, inputs: new Map() };
}

/** `paths` at the root first, then in `properties.swagger`: ARM answers both ways. */
function swaggerOf(value: unknown): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  if (isObject(value.paths)) return value;
  const inner = isObject(value.properties) ? value.properties.swagger : undefined;
  return isObject(inner) && isObject(inner.paths) ? inner : undefined;
}

async function parse(text: string, location: string, log: DiagnosticLog): Promise<unknown> {
  const plain = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(plain);
  } catch (cause) {
    const reason = (cause as Error).message;
    const value = await lenient(plain, location, log);
    log.report(
      'document-not-strict',
      'warning',
      `${location} is no strict JSON and was read all the same: ${reason}`,
    );
    return value;
  }
}

async function lenient(text: string, location: string, log: DiagnosticLog): Promise<unknown> {
  try {
    return parseLenientJson(text);
  } catch {
    return parseDocument(text, location, log);
  }
}

function titleOf({ info }: JsonObject, api: string): string {
  const title = isObject(info) ? info.title : undefined;
  return typeof title === 'string' && title.trim() !== '' ? title.trim() : api;
}
