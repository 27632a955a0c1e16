import type { Principal } from '../../operations/index.ts';
import { nameOrder } from '../../operations/text/compare-names.ts';
import type { Person } from '../../principals/access/access-records.ts';
import { findLevel } from '../../principals/grants/source-grants.ts';
import type { AccessMatrix, MatrixQuery } from '../../server/http/admin/access-administration.ts';
import type { AccessContext } from './access-context.ts';
import { type AllowedLevels, createMatrixRows, matrixSources } from './matrix-rows.ts';
import { paged } from './paged.ts';
import { eachGrants, fits } from './people-grants.ts';

/** A page of the people whom the caller may see. Throws `record_unknown`, `record_invalid`. */
export async function matrixOfTeam(
  context: AccessContext,
  by: Principal,
  query: MatrixQuery,
): Promise<AccessMatrix> {
  const access = await context.records().read(by, { organisation: query.organisation });
  const { snapshot } = access;
  const people = access.people.filter((person) => fits(person, query));
  const { page, ...next } = paged(people, ({ name, id }) => `${name}\u0000${id}`, query, keyOrder());
  const given = await eachGrants(access, page, context.grantsOf(access));
  const known = context.grants.sources();
  const { sources, rowOf } = columns(context, query, (source) =>
    findLevel(snapshot.levels, source, known[source]?.category ?? ''),
  );
  return {
    mode: 'team',
    organisation: access.organisation,
    version: access.version,
    manages: access.manages,
    features: snapshot.features,
    roles: [...snapshot.permissions.keys()].sort(),
    sources,
    rows: given.map(([person, own]) => rowOf(person, own)),
    total: people.length,
    ...next,
  };
}

/** Of keys of pages, as the people are sorted. */
function keyOrder(): (a: string, b: string) => number {
  const byName = nameOrder();
  const named = (key: string) => {
    const [name = '', id = ''] = key.split('\u0000');
    return { name, id };
  };
  return (a, b) => byName(named(a), named(b));
}

/** Of a gateway without users: what the configuration lets the caller do. */
export async function matrixOfCaller(
  context: AccessContext,
  by: Principal,
  query: MatrixQuery,
): Promise<AccessMatrix> {
  const own = await context.grants.fresh(by);
  const { sources, rowOf } = columns(context, query, (source) => ({
    level: own.source(source)?.admin ?? null,
    reason: own.source(source)?.reasons?.admin,
  }));
  const person: Person = { id: by.id, name: by.id, status: 'active', roles: by.roles };
  return {
    mode: 'configuration',
    organisation: null,
    manages: false,
    features: own.features,
    roles: [],
    sources,
    rows: [rowOf(person, own)],
    total: 1,
  };
}

function columns({ catalog, grants }: AccessContext, query: MatrixQuery, allowed: AllowedLevels) {
  const { entries } = catalog.current;
  const sources = matrixSources(catalog.current, grants.sources(), entries, allowed).filter(
    ({ name }) => query.source === undefined || query.source === name,
  );
  return { sources, rowOf: createMatrixRows(sources, entries) };
}
