import type { Access, JsonObject, SafetyProfile } from '../../operations/index.ts';
import { namesDeletion, words } from '../operation-words.ts';

/** What the operator knows about a server, whatever its tools say. */
export interface ServerReach {
  /** It runs on this machine and may touch its files. */
  readonly local: boolean;
}

/**
 * Access by the tool's own hints, which nobody has verified: the operator's `access:` rules are applied after it. A
 * tool that says nothing is a write, unless its name says that it deletes: MCP's default (destructive) would have
 * every unannotated server ask a person for each call. Whoever says that a tool writes, and not that it destroys
 * nothing, gets MCP's default.
 */
export function accessOf(name: string, annotations: JsonObject = {}): Access {
  const { readOnlyHint, destructiveHint } = annotations;
  if (readOnlyHint === true) return 'read';
  if (typeof destructiveHint === 'boolean') return destructiveHint ? 'delete' : 'write';
  return readOnlyHint === false || namesDeletion(words(name)) ? 'delete' : 'write';
}

/**
 * Openness and repeatability by MCP's defaults: what is not denied is assumed. A write that only we take for one is
 * told to nobody as harmless.
 */
export function safetyOf(
  access: Access,
  annotations: JsonObject = {},
  { local }: ServerReach,
): SafetyProfile {
  const openWorld = annotations['openWorldHint'] !== false;
  return {
    network: openWorld || !local,
    file: local,
    destructive: access === 'delete',
    ...(access === 'write' && annotations['destructiveHint'] !== false
      ? { destructiveUnknown: true as const }
      : {}),
    idempotent: access === 'read' || annotations['idempotentHint'] === true,
    openWorld,
  };
}
