import type { ClientPlace } from '../clients/client.ts';
import { CLIENTS } from '../clients/registry.ts';

/** Where a client keeps its servers. */
export interface ClientPlaces {
  readonly title: string;
  /** As `connect` calls it. */
  readonly name: string;
  /** Of the user, and of this folder; whether they are there or not. */
  readonly files: readonly string[];
}

/** Every client whose servers are read. */
export function clientPlaces(place: ClientPlace): readonly ClientPlaces[] {
  return Object.entries(CLIENTS).map(([name, client]) => ({
    name,
    title: client.title,
    // in the home folder both are one
    files: [...new Set([...client.userFiles(place), ...(client.projectFiles?.(place) ?? [])])],
  }));
}
