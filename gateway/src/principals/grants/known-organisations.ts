import type { Store } from '../../store/store.ts';
import { BoundedMap } from '../bounded-map.ts';
import { type OrganisationSnapshot, readOrganisation } from './organisation-snapshot.ts';

/** An organisation as of one revision; `snapshot` is undefined when there is none of that id. */
export interface KnownOrganisation {
  readonly snapshot: OrganisationSnapshot | undefined;
  readonly revision: number;
}

/** The organisations that this process has read, shared by everything that asks about their users. */
export interface KnownOrganisations {
  /** The newest that was read, without asking the store. */
  newest(id: string): KnownOrganisation | undefined;
  /** As of the revision that the store has now. A promise only where it must be read. Throws `store_unavailable`. */
  at(id: string, revision: number): KnownOrganisation | Promise<KnownOrganisation>;
  forget(id: string): void;
  ids(): readonly string[];
}

/** Organisations kept in memory. */
const KEPT = 1000;

/** Whoever needs the same organisation at the same time shares one reading of it. */
export function createKnownOrganisations(store: Store, kept: number = KEPT): KnownOrganisations {
  const organisations = new BoundedMap<string, KnownOrganisation>(kept);
  const readings = new Map<
    string,
    { readonly revision: number; readonly known: Promise<KnownOrganisation> }
  >();

  const read = (id: string, revision: number): Promise<KnownOrganisation> => {
    const underway = readings.get(id);
    if (underway !== undefined && underway.revision >= revision) return underway.known;
    const known = readOrganisation(store, id, revision).then((snapshot) => ({ snapshot, revision }));
    const reading = { revision, known };
    readings.set(id, reading);
    // who asked last saw the newest, whatever its revision: a store that lost commits goes back
    const done = (made?: KnownOrganisation) => {
      if (readings.get(id) !== reading) return;
      readings.delete(id);
      if (made !== undefined) organisations.set(id, made);
    };
    known.then(done, () => done());
    return known;
  };

  return {
    newest: (id) => organisations.get(id),
    at(id, revision) {
      const known = organisations.get(id);
      return known?.revision === revision ? known : read(id, revision);
    },
    forget: (id) => organisations.delete(id),
    ids: () => organisations.keys(),
  };
}
