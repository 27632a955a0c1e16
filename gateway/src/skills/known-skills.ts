import type { CompiledSkill } from '../sources/skill/snapshot.ts';
import { writeArtifacts } from './artifacts.ts';
import { atOnce } from './at-once.ts';
import type { SkillCompiler } from './compiler.ts';
import type { FolderState } from './folders/judge-folder.ts';
import { type RankedSkills, rankSkills } from './folders/precedence.ts';
import { READS_AT_ONCE } from './limits.ts';
import type { KnownSkill } from './room.ts';
import type { SnapshotContent } from './snapshot-file.ts';

export interface KnownSkills {
  /** Works out anew which skills count. */
  update(): void;
  /** Works out anew which tools are shadowed. */
  recheck(): void;
  /** Writes the artifacts of skills for which they differ. Never rejects. */
  writeArtifacts(): Promise<void>;
  /** Sorted by id; the same array while nothing changed. */
  list(): readonly KnownSkill[];
  get(id: string): KnownSkill | undefined;
  /** The folder that counts for an id. */
  stateOf(id: string): FolderState | undefined;
  snapshot(): SnapshotContent;
}

interface KnownOptions {
  readonly directory: string;
  readonly states: ReadonlyMap<string, FolderState>;
  readonly problems: () => SnapshotContent['problems'];
  readonly compiler: SkillCompiler;
  /** Undefined: not known yet, so nothing can be said about shadowed tools. */
  readonly staticNames: () => ReadonlySet<string> | undefined;
  /** How scripts run on this machine, in one line. */
  readonly isolation: () => Promise<string>;
  readonly now: () => number;
  readonly report: (error: unknown, what: string) => void;
  readonly write?: Parameters<typeof writeArtifacts>[1]['write'];
}

export function knownSkills(options: KnownOptions): KnownSkills {
  const { directory, states, compiler, report } = options;
  let effective: RankedSkills<FolderState> = rankSkills([]);
  let listed: readonly KnownSkill[] | undefined;
  let byId = new Map<string, KnownSkill>();
  let staticNames: ReadonlySet<string> = new Set();

  const overridesOf = (winner: string): string[] =>
    effective.overridden.filter(({ by }) => by === winner).map(({ folder }) => folder);

  const build = (): readonly KnownSkill[] => {
    if (listed !== undefined) return listed;
    staticNames = options.staticNames() ?? staticNames;
    const skills = [...effective.skills.values()].flatMap((state) => {
      const { compiled, failure, artifacts } = state;
      if (compiled === undefined) return [];
      return [
        {
          ...compiled,
          shadowed: shadowedOf(compiled, staticNames),
          ...(failure === undefined ? {} : { stale: failure }),
          artifacts: artifacts?.folder ?? compiled.folder,
          overrides: overridesOf(state.folder),
        },
      ];
    });
    listed = skills;
    byId = new Map(skills.map((skill) => [skill.id, skill]));
    return skills;
  };

  const writeOf = async (state: FolderState, isolation: string) => {
    const { compiled, artifacts: before, failure } = state;
    if (compiled === undefined || failure !== undefined) return;
    const facts = {
      shadowed: shadowedOf(compiled, staticNames),
      overrides: overridesOf(state.folder),
      isolation,
    };
    const updatedAt = new Date(options.now()).toISOString();
    const write = options.write === undefined ? {} : { write: options.write };
    try {
      const parts = { make: compiler.artifacts, facts, before, directory, updatedAt, ...write };
      const written = await writeArtifacts(compiled, parts);
      // a folder that has gone is no longer a skill's
      const isOdd = written?.elsewhere !== undefined && written.elsewhere !== 'ENOENT';
      if (isOdd && before?.folder !== written.folder)
        report(
          new Error(`${compiled.folder} cannot be written to (${written.elsewhere})`),
          `the artifacts of skill ${compiled.id} lie in ${written.folder}`,
        );
      if (written?.folder !== before?.folder) listed = undefined;
      state.artifacts = written;
    } catch (error) {
      report(error, `the artifacts of skill ${compiled.id} could not be written`);
    }
  };

  return {
    update() {
      effective = rankSkills(states.values());
      listed = undefined;
    },
    recheck() {
      const names = options.staticNames() ?? staticNames;
      const isSame = ({ shadowed, ...skill }: KnownSkill) =>
        shadowedOf(skill, names).join('\0') === shadowed.join('\0');
      if (listed?.every(isSame) === false) listed = undefined;
    },
    async writeArtifacts() {
      const names = options.staticNames();
      if (names === undefined) return;
      staticNames = names;
      const isolation = await options.isolation();
      await atOnce(effective.skills.values(), READS_AT_ONCE, (state) => writeOf(state, isolation));
    },
    list: build,
    get(id) {
      build();
      return byId.get(id);
    },
    stateOf: (id) => effective.skills.get(id),
    snapshot() {
      const { skills, overridden, problems } = effective;
      return {
        skills: [...skills.values()].flatMap(({ compiled }) => compiled ?? []),
        overridden,
        problems: [...problems, ...options.problems()],
      };
    },
  };
}

/** A name counts as it is declared, and as clients see it: with `_` for what they cannot read. */
function shadowedOf({ tools }: Pick<CompiledSkill, 'tools'>, names: ReadonlySet<string>): string[] {
  return tools
    .map(({ name }) => name)
    .filter((name) => names.has(name) || names.has(name.replace(/[^A-Za-z0-9_-]/g, '_')));
}
