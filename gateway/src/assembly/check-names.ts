import { topologiesWith, unknownTopology } from '../config/settings/topology.ts';
import { ToolcribError } from '../errors.ts';
import { unknownSource } from '../operations/unknown-source.ts';
import type { Topology } from '../topology/topology.ts';

/** What an embedder names has to be there: nothing happens silently otherwise. Throws `source_unknown`. */
export function checkSource(name: string, known: readonly string[]): void {
  if (!known.includes(name)) throw unknownSource(name, { known });
}

/** Throws `configuration_invalid`. */
export function checkTopology(name: string, brought: readonly Topology[] = []): void {
  const unknown = unknownTopology(name, topologiesWith(brought.map((one) => one.name)));
  if (unknown !== undefined)
    throw new ToolcribError('configuration_invalid', unknown, { next: 'Name one of these topologies.' });
}
