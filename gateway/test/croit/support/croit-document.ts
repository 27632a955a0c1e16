import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const file = new URL('../../../../../shared/data/croit/openapi.json.gz', import.meta.url);

/** The document lies beside the repository; where it does not, what needs it is skipped. */
export const hasDocument = existsSync(file);
export const SKIPPED = '(skipped where the shared data is absent)';

export interface DocumentOperation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly responses?: Readonly<Record<string, unknown>>;
  readonly 'x-required-permissions'?: readonly string[];
  readonly 'x-llm-hints'?: { rate_limit?: unknown; readonly requires_confirmation?: boolean };
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
}

/** `rates: false` leaves out the rates that hints name: whoever calls everything many times would only wait. */
export function readDocument({ rates = true }: { readonly rates?: boolean } = {}): Document {
  const document = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as Document;
  if (!rates) for (const { operation } of operationsOf(document)) delete operation['x-llm-hints']?.rate_limit;
  return document;
}

/** The document with the paths that fit: where the others are of no interest, nobody waits for them. */
export function partOf({ paths, ...document }: Document, fits: RegExp): Document {
  const kept = Object.entries(paths).filter(([path]) => fits.test(path));
  return { ...document, paths: Object.fromEntries(kept) };
}

export interface PlacedOperation {
  /** `GET /pools` */
  readonly place: string;
  readonly id: string;
  readonly operation: DocumentOperation;
}

export function operationsOf({ paths }: Document): readonly PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      place: `${method.toUpperCase()} ${path}`,
      id: operation.operationId,
      operation,
    })),
  );
}

const DAOS = 'daos';

/** What the document and the preset permit: daos is off. */
export function permittedTo(who: 'admin' | 'viewer', document: Document): readonly PlacedOperation[] {
  return operationsOf(document).filter(
    ({ operation: { tags = [], 'x-required-permissions': [role] = [] } }) => {
      if (tags.includes(DAOS)) return false;
      return who === 'admin' || role !== 'admin';
    },
  );
}
