import type { EgressResponse } from '../../egress/egress.ts';
import { parsePointer, readJson, type SessionEnd, valueAt } from '../../operations/index.ts';

/** Of an answer that is looked into, bytes: one that says no more than this is short. */
const MAX_BYTES = 64 * 1024;

/** Whether an answer is any of these. */
export function isSessionEnd(
  { status, body }: Pick<EgressResponse, 'status' | 'body'>,
  ends: readonly SessionEnd[],
): boolean {
  const meant = ends.filter((end) => end.status === status);
  if (meant.length === 0) return false;
  if (meant.some((end) => end.body === undefined)) return true;
  const json = jsonOf(body);
  return meant.some((end) =>
    Object.entries(end.body ?? {}).every(
      ([pointer, value]) => valueAt(json, parsePointer(pointer) ?? []) === value,
    ),
  );
}

/** Undefined: none, or more than is looked into. */
function jsonOf(body: Uint8Array): unknown {
  if (body.length > MAX_BYTES) return undefined;
  return readJson(new TextDecoder().decode(body));
}
