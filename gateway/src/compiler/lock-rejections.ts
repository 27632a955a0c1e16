import { isObject } from '../operations/index.ts';

/** A definition that a person refused: it stays withheld until the tool is another one again. */
export interface Rejection {
  readonly source: string;
  readonly operation: string;
  /** `sha256:` over the canonical definition that was refused. */
  readonly hash: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly reason?: string;
}

/** The refusal of exactly this definition; undefined when nobody refused it, or it has changed since. */
export function rejectionOf(
  { rejected }: { readonly rejected?: Readonly<Record<string, Rejection>> },
  entry: Pick<Rejection, 'source' | 'operation' | 'hash'> & { readonly name: string },
): Rejection | undefined {
  if (rejected === undefined || !Object.hasOwn(rejected, entry.name)) return undefined;
  const found = rejected[entry.name]!;
  const isThis =
    found.hash === entry.hash && found.source === entry.source && found.operation === entry.operation;
  return isThis ? found : undefined;
}

/** Whether a value of a lock file is a set of refusals. */
export function isRejections(value: unknown): value is Readonly<Record<string, Rejection>> {
  return isObject(value) && Object.values(value).every(isRejection);
}

function isRejection(value: unknown): boolean {
  return (
    isObject(value) &&
    ['source', 'operation', 'at'].every((key) => typeof value[key] === 'string') &&
    typeof value['hash'] === 'string' &&
    /^sha256:[0-9a-f]{64}$/.test(value['hash']) &&
    (value['reason'] === undefined || typeof value['reason'] === 'string')
  );
}
