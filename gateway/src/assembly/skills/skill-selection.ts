import type { Catalog, CatalogEntry } from '../../catalog/catalog.ts';
import type { Configuration } from '../../config/configuration.ts';
import { skillPolicyOf, skillSources } from '../../config/settings/skills.ts';
import { ToolcribError } from '../../errors.ts';
import type { CallRequest } from '../../gateway-core.ts';
import {
  type ClientFacts,
  type GrantSource,
  type Grants,
  LOCAL_PRINCIPAL,
  type Principal,
} from '../../operations/index.ts';
import {
  type EffectiveSkill,
  effectiveSkill,
  maySelect,
  visibleSkills,
} from '../../policy/effective-skill.ts';
import type { TopologyTool } from '../../topology/topology.ts';
import { readableSources } from '../access/readable-sources.ts';
import type { FoundTools } from '../listing/found-tools.ts';
import type { SkillOfSource } from './skill-rooms.ts';
import { useSkillTool } from './use-skill-tool.ts';

/** What one caller sees of skills. */
export interface SelectedSkills {
  /** Equal keys show the same. */
  readonly key: string;
  /** The one whose tools alone are there. */
  readonly skill?: string;
  shows(entry: CatalogEntry): boolean;
  /** Whether the texts of the skill of this id are for the caller. */
  mayRead(skill: string): boolean;
  /** Reads and selects skills; undefined where the caller may read none. */
  tool(catalog: Catalog, grants: Grants): TopologyTool | undefined;
}

/** Undefined: there are no skills. */
export type SkillSelection = (grants: Grants, client: ClientFacts | undefined) => SelectedSkills | undefined;

export interface Selections {
  readonly of: SkillSelection;
  /** Which skill counts for a caller, and why. */
  effective(grants: Grants, client: ClientFacts | undefined): EffectiveSkill;
  /** Whether a caller may work with the skill of this id: there is one, and it is for the caller. */
  isOpen(principal: Principal, skill: string): boolean;
  /** Whose texts a caller may read: any other skill is as if it were not there. */
  mayRead(grants: Grants, client?: ClientFacts): (skill: string) => boolean;
  /** Why a tool of a skill cannot be called by its name here. */
  refuse(entry: CatalogEntry, request: CallRequest): ToolcribError | undefined;
  /** Undefined ends the choice. Gives the skill that counts from then on: an address or a role may have its own. */
  select(
    principal: Principal,
    client: ClientFacts | undefined,
    skill: string | undefined,
  ): Promise<string | undefined>;
}

export interface SkillSelectionParts {
  readonly configuration: () => Configuration;
  readonly grants: Pick<GrantSource, 'known'>;
  /** From memory. */
  readonly skills: () => readonly SkillOfSource[];
  readonly read: (source: string, skill: string, path: string) => Promise<Uint8Array>;
  readonly chosen: Pick<FoundTools, 'chosenSkill' | 'chooseSkill'>;
}

/** Which skill each caller works with: what it asks for, what its conversation chose, what its role has. */
export function createSkillSelections(parts: SkillSelectionParts): Selections {
  const { configuration, grants, skills, chosen } = parts;
  const policy = () => skillPolicyOf(configuration());

  const effective = (held: Grants, client: ClientFacts | undefined): EffectiveSkill => {
    const choice = chosen.chosenSkill(held.principal, conversationOf(client));
    // a session begins with its address and goes on as it chose; without one each request says it anew
    const requested = hasSession(client) ? (choice ?? client.skill) : (client?.skill ?? choice);
    const readable = readableSources(held);
    return effectiveSkill(
      requested,
      held.roles,
      policy(),
      // what a caller may not read is no skill for it: neither its tools nor its words
      (skill) => sourcesOf(skills()).get(skill)?.some(readable) === true,
    );
  };
  const mayRead: Selections['mayRead'] = (held, client) => {
    const { skill } = effective(held, client);
    return (id) => id === skill || maySelect(id, held.roles, policy());
  };
  const of: SkillSelection = (held, client) => {
    // not by the skills: while a room is opened anew they are not known, and their tools may be in the catalog
    if (skillSources(configuration()).length === 0) return undefined;
    const { skill } = effective(held, client);
    const visible = visibleSkills(policy(), skill, held.roles);
    return {
      key: JSON.stringify([skill, policy().visible, held.roles, policy().permitted]),
      ...(skill === undefined ? {} : { skill }),
      shows: ({ facts }) => facts.skill === undefined || visible(facts.skill),
      mayRead: mayRead(held, client),
      tool: (catalog, seen) =>
        useSkillTool({
          ...parts,
          catalog,
          grants: seen,
          mayHave: (id) => id === skill || maySelect(id, seen.roles, policy()),
        }),
    };
  };
  return {
    of,
    effective,
    mayRead,
    refuse(entry, { principal = LOCAL_PRINCIPAL, client }) {
      const { skill } = entry.facts;
      if (skill === undefined) return undefined;
      const selected = of(grants.known(principal), client);
      if (selected === undefined || selected.shows(entry)) return undefined;
      const now = selected.skill === undefined ? 'none is selected' : `${selected.skill} is selected`;
      return new ToolcribError(
        'skill_forbidden',
        `Tool ${entry.name} is of the skill ${skill}, and ${now}.`,
        {
          next: isFixed(client)
            ? `Ask for it by the address (?skill=${skill}), or connect without a skill in it and call use_skill.`
            : `Select it first: use_skill with skill "${skill}", or ask for it by the address (?skill=${skill}).`,
        },
      );
    },
    isOpen: (principal, skill) => effective(grants.known(principal), { skill }).refused === undefined,
    async select(principal, client, skill) {
      await chosen.chooseSkill(principal, conversationOf(client), skill);
      return effective(grants.known(principal), client).skill;
    },
  };
}

function hasSession(client: ClientFacts | undefined): client is ClientFacts & { readonly session: string } {
  return client?.session !== undefined;
}

/** Its address names a skill with every request. */
function isFixed(client: ClientFacts | undefined): boolean {
  return client?.skill !== undefined && !hasSession(client);
}

/** What keeps two conversations of one principal apart. */
function conversationOf(client: ClientFacts | undefined): string {
  return client?.session ?? client?.name ?? '';
}

const SOURCES = new WeakMap<readonly SkillOfSource[], ReadonlyMap<string, readonly string[]>>();

/** Names of the sources that have a skill, by its id. */
function sourcesOf(skills: readonly SkillOfSource[]): ReadonlyMap<string, readonly string[]> {
  let sources = SOURCES.get(skills);
  if (sources === undefined) {
    const byId = Map.groupBy(skills, ({ id }) => id);
    sources = new Map([...byId].map(([id, all]) => [id, all.map(({ source }) => source)]));
    SOURCES.set(skills, sources);
  }
  return sources;
}
