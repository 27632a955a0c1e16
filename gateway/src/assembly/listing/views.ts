import type { Catalog } from '../../catalog/catalog.ts';
import type { ClientFacts, Grants, Principal } from '../../operations/index.ts';
import type { SkillSelection } from '../skills/skill-selection.ts';
import { type ComputedView, computeView, type ViewParts, withFound } from './compute-view.ts';
import { topologyChoice } from './topology-choice.ts';

export type { ComputedView } from './compute-view.ts';

/** Views kept a catalog: principals with the same rights share one, whatever each has found. */
const MAX_VIEWS = 1000;

export interface ViewsParts extends ViewParts {
  /** Operations that this principal's tools were extended by, sorted. */
  readonly activated: (principal: Principal) => readonly string[];
  /** Whose skills' tools this caller sees. */
  readonly skills: SkillSelection;
}

export type Views = (catalog: Catalog, grants: Grants, client?: ClientFacts) => ComputedView;

/** Views by catalog and by what the grants and the client come to, made once each; a catalog that is gone takes its views along. */
export function createViews(parts: ViewsParts): Views {
  const byCatalog = new WeakMap<Catalog, CatalogViews>();
  const known = (name: string) => name === 'auto' || Object.hasOwn(parts.topologies(), name);
  return (catalog, grants, client) => {
    const configuration = parts.configuration();
    const topologies = parts.topologies();
    let views = byCatalog.get(catalog);
    if (views?.configuration !== configuration || views.topologies !== topologies) {
      views = { configuration, topologies, byGrants: new WeakMap(), byRights: new Map() };
      byCatalog.set(catalog, views);
    }
    const activated = parts.activated(grants.principal);
    const skill = parts.skills(grants, client);
    const shape = JSON.stringify([client?.topology, client?.name, skill?.key, activated]);
    const shapes = shapesOf(views.byGrants, grants);
    const found = shapes.get(shape);
    if (found !== undefined) return found;
    const choose = topologyChoice(configuration, grants, client, known);
    const key = JSON.stringify([
      rightsOf(catalog, grants),
      catalog.sources.map(({ name }) => choose(name)),
      skill?.key,
    ]);
    const view = shared(views.byRights, key, () => computeView(parts, { catalog, grants, choose, skill }));
    if (shapes.size >= MAX_SHAPES) shapes.clear();
    const own = activated.length === 0 ? view : withFound(view, activated);
    shapes.set(shape, own);
    return own;
  };
}

/** Clients and sets of found tools of one principal. */
const MAX_SHAPES = 64;

interface CatalogViews {
  /** They were made for it. */
  readonly configuration: object;
  readonly topologies: object;
  readonly byGrants: WeakMap<Grants, Map<string, ComputedView>>;
  /** Least recently used first. */
  readonly byRights: Map<string, ComputedView>;
}

function shapesOf(byGrants: CatalogViews['byGrants'], grants: Grants): Map<string, ComputedView> {
  let shapes = byGrants.get(grants);
  if (shapes === undefined) {
    shapes = new Map();
    byGrants.set(grants, shapes);
  }
  return shapes;
}

function shared(views: Map<string, ComputedView>, key: string, make: () => ComputedView): ComputedView {
  const view = views.get(key) ?? make();
  views.delete(key);
  views.set(key, view);
  if (views.size > MAX_VIEWS) views.delete(views.keys().next().value!);
  return view;
}

/** Everything about grants that decides what is visible, and nothing that tells one person from another. */
function rightsOf(catalog: Catalog, grants: Grants): unknown {
  const { principal, roles, permissions, features, tools } = grants;
  const levels = catalog.sources.map(({ name }) => {
    const grant = grants.source(name);
    return (
      grant && [
        grant.level,
        grant.admin,
        grant.user,
        grant.connection,
        grant.roles,
        grant.adminRoles,
        grant.skills,
      ]
    );
  });
  const { kind, maxAccess, sources } = principal;
  return [kind, maxAccess, sources, tools, roles, permissions, features, levels];
}
