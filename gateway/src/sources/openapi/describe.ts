import { shownLocation } from '../../operations/http/shown-location.ts';
import {
  type Description,
  escapeToken,
  hashBytes,
  isObject,
  type JsonObject,
  type JsonSchema,
  type Operation,
  type ServerTemplate,
  type Skipped,
} from '../../operations/index.ts';
import type { FixedParameters, SourceContext } from '../source-kind.ts';
import { authorizationSchemes } from './authorization-parameter.ts';
import { compileOperation } from './compile-operation.ts';
import { DiagnosticLog } from './diagnostics.ts';
import { HintReading } from './hints.ts';
import { OperationIds } from './names.ts';
import { OperationUnusable } from './operation-unusable.ts';
import { type OpenApiConfig, type OpenApiOptions, resolveOptions } from './options.ts';
import { type ListedOperation, listMethods, listOperations } from './path-items.ts';
import { type LoadedDocuments, loadDocuments } from './read/load-documents.ts';
import type { Reading } from './reading.ts';
import { RequirementReading } from './requirements.ts';
import { SchemaConverter } from './schemas/converter.ts';
import {
  operationSecurity,
  readSecuritySchemes,
  type SecuritySchemes,
  secretParameters,
} from './security.ts';
import { documentServers, operationServers } from './servers.ts';
import { toldApart } from './told-apart.ts';
import { readVersion } from './version.ts';

/**
 * Reads an OpenAPI or Swagger document and everything it refers to. One broken node costs that node, with a
 * diagnostic. Throws `source_unreadable` and `source_invalid` for a document that cannot be read at all.
 */
export async function describeOpenApi(config: OpenApiConfig, context: SourceContext): Promise<Description> {
  const options = resolveOptions(config);
  const log = new DiagnosticLog();
  const documents = await loadDocuments(options, context, log);
  const { root, references } = documents;
  const version = readVersion(root, shownLocation(options.document));
  const schemes = readSecuritySchemes(root, version, references, log);
  const reading: Reading = {
    root,
    url: documents.url,
    version,
    options,
    references,
    log,
    request: new SchemaConverter(references, log, 'request', version.jsonSchema),
    response: new SchemaConverter(references, log, 'response', version.jsonSchema),
    hints: await HintReading.open(options.hints ?? {}, context, log),
    requirements: new RequirementReading(options.permissions, schemes, log),
    secrets: secretParameters(schemes),
    authorization: authorizationSchemes(schemes),
    statedSchemes: {},
    fixed: fixedNames(context),
    parameters: new Map(),
    versions: new Map(),
    outputs: new Map(),
  };
  return describeDocument(reading, documents, schemes, context);
}

function fixedNames({
  fixedParameters: { headers, query } = NOTHING_FIXED,
}: SourceContext): ReadonlySet<string> {
  return new Set([...headers.map((name) => `header:${name}`), ...query.map((name) => `query:${name}`)]);
}

const NOTHING_FIXED: FixedParameters = { headers: [], query: [] };

function describeDocument(
  reading: Reading,
  documents: LoadedDocuments,
  schemes: SecuritySchemes,
  context: SourceContext,
): Description {
  const operations: Operation[] = [];
  const skipped: Skipped[] = webhooks(reading);
  const ids = new OperationIds();
  const ofDocument = documentServers(reading);
  for (const listed of listOperations(reading)) {
    context.signal.throwIfAborted();
    if ('reason' in listed) {
      skipped.push(listed);
      continue;
    }
    const { method, path } = listed;
    const reason = reasonToSkip(listed, reading.options);
    if (reason !== undefined) {
      skipped.push({ method, path, reason });
      continue;
    }
    try {
      operations.push(compileListed(reading, listed, ids, ofDocument, schemes, context.name));
    } catch (error) {
      if (!(error instanceof OperationUnusable)) throw error;
      skipped.push({ method, path, reason: error.message });
    }
  }
  reading.hints.finish();
  reading.requirements.finish();
  return {
    operations: toldApart(operations, ids),
    skipped,
    resources: [],
    resourceTemplates: [],
    prompts: [],
    securitySchemes: { ...schemes, ...reading.statedSchemes },
    components: componentSchemas(reading),
    diagnostics: reading.log.list(),
    fingerprint: fingerprintOf(documents, reading),
    ...(isObject(documents.root.info) ? { info: documents.root.info } : {}),
  };
}

/** The operator's hints count, too, where there are any. */
function fingerprintOf({ fingerprint }: LoadedDocuments, { hints: { fileHash } }: Reading): string {
  if (fileHash === undefined) return fingerprint;
  return hashBytes(`${fingerprint} ${fileHash}`);
}

function compileListed(
  reading: Reading,
  listed: ListedOperation,
  ids: OperationIds,
  ofDocument: readonly ServerTemplate[],
  schemes: SecuritySchemes,
  source: string,
): Operation {
  const { method, path, operation, pathItem } = listed;
  const { node, pointer } = operation;
  const said = node.operationId;
  const operationId =
    (typeof said === 'string' && said.trim() !== '') || typeof said === 'number' ? String(said) : undefined;
  const { id, duplicate } = ids.claim(operationId, method, path);
  if (duplicate)
    reading.log.report(
      'operation-id-duplicate',
      'warning',
      `The operationId ${operationId} stands twice; this one is called ${id}.`,
      pointer,
    );
  reportUncompiled(reading, node, pointer);
  return compileOperation(reading, listed, {
    source,
    id,
    operationId,
    servers: operationServers(reading, pathItem, operation, ofDocument),
    security: operationSecurity(reading.root, operation, schemes, reading.log),
  });
}

function reasonToSkip({ operation, pathItem }: ListedOperation, options: OpenApiOptions): string | undefined {
  const { node } = operation;
  const internal = [node, pathItem.node].some(
    (at) => at['x-internal'] === true || at['x-ms-visibility'] === 'internal',
  );
  if (internal && !options.includeInternal)
    return 'marked as internal by the document (includeInternal compiles it)';
  if (node.deprecated === true && !options.includeDeprecated)
    return 'deprecated, and includeDeprecated is off';
  if (node['x-ms-trigger'] !== undefined && !options.includeTriggers)
    return 'a trigger, which subscribes rather than acts (includeTriggers compiles it)';
  return undefined;
}

/** Links and callbacks describe what comes afterwards; a tool cannot use them. */
function reportUncompiled(reading: Reading, node: JsonObject, pointer: string): void {
  if (isObject(node.callbacks) && Object.keys(node.callbacks).length > 0) {
    const names = Object.keys(node.callbacks).join(', ');
    reading.log.report(
      'callbacks-unused',
      'info',
      `The service calls back (${names}); that is not compiled.`,
      `${pointer}/callbacks`,
    );
  }
  const responses = isObject(node.responses) ? node.responses : {};
  for (const code of Object.keys(responses)) {
    const response = reading.references.object(responses[code], `${pointer}/responses/${escapeToken(code)}`);
    const links = response?.node.links;
    if (!isObject(links) || Object.keys(links).length === 0) continue;
    const names = Object.keys(links).join(', ');
    reading.log.report(
      'links-unused',
      'info',
      `Links (${names}) are not compiled.`,
      `${response!.pointer}/links`,
    );
  }
}

/** OpenAPI 3.1 webhooks are requests that the service makes: there is nothing to call. */
function webhooks(reading: Reading): Skipped[] {
  const key = isObject(reading.root.webhooks) ? 'webhooks' : 'x-webhooks';
  const declared = reading.root[key];
  const skipped: Skipped[] = [];
  for (const [name, item] of Object.entries(isObject(declared) ? declared : {})) {
    for (const listed of listMethods(reading, name, item, `#/${key}/${escapeToken(name)}`)) {
      const reason = 'reason' in listed ? listed.reason : 'a webhook, which the service calls';
      skipped.push({ method: listed.method, path: name, reason });
    }
  }
  return skipped;
}

/** What the operations reach, as answers show it; request shapes where only requests use them. */
function componentSchemas({ request, response }: Reading): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  for (const converter of [request, response]) {
    for (const [name, { schema }] of converter.all()) if (isObject(schema)) schemas[name] = schema;
  }
  return schemas;
}
