import { isObject, type JsonObject } from '../../operations/index.ts';
import type { ApiAnnotation, FilterFacts } from './filters.ts';

/** `x-ms-visibility` of an operation, a parameter or a property; a common misspelling counts. */
export function visibilityOf(node: JsonObject): string {
  const said = node['x-ms-visibility'] ?? node['x-ms-visibilty'];
  return typeof said === 'string' && said !== '' ? said.toLowerCase() : 'none';
}

/** `x-ms-api-annotation`; what is no text or number in it counts as absent. */
export function annotationOf(node: JsonObject): ApiAnnotation | undefined {
  const said = node['x-ms-api-annotation'];
  if (!isObject(said)) return undefined;
  const { family, status } = said;
  const revision = typeof said.revision === 'string' ? Number(said.revision) : said.revision;
  return {
    ...(typeof family === 'string' && family !== '' ? { family } : {}),
    ...(typeof revision === 'number' && Number.isFinite(revision) ? { revision } : {}),
    ...(typeof status === 'string' ? { status } : {}),
  };
}

/** What the filters want to know of an Operation Object. */
export function filterFactsOf(node: JsonObject, path: string): FilterFacts {
  return {
    operationId: operationIdOf(node) ?? '',
    path,
    visibility: visibilityOf(node),
    isTrigger: Boolean(node['x-ms-trigger']),
    deprecated: node.deprecated === true,
    apiAnnotation: annotationOf(node),
  };
}

export function operationIdOf({ operationId }: JsonObject): string | undefined {
  const text = typeof operationId === 'number' ? String(operationId) : operationId;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}
