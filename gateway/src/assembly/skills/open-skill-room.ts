import type { Egress } from '../../egress/egress.ts';
import type { EventBody, SkillMode, SkillSettings } from '../../operations/index.ts';
import type { SkillRoom } from '../../skills/room.ts';

export interface SkillRoomParts {
  readonly source: string;
  readonly settings: SkillSettings;
  /** Folder of this source's state. */
  readonly directory: string;
  readonly watch: boolean;
  readonly egress: Egress;
  readonly refresh: () => Promise<void>;
  /** Tools of other sources; undefined while they are not known. */
  readonly staticNames: () => ReadonlySet<string> | undefined;
  readonly mode: () => SkillMode;
  readonly record: (event: EventBody) => void;
  readonly report: (error: unknown, what: string) => void;
}

/** The live side of one source of skills, for a gateway or for a command that needs no gateway. */
export async function openSkillRoom(parts: SkillRoomParts): Promise<SkillRoom> {
  const { source, settings, directory, watch, egress, refresh, staticNames, mode, record, report } = parts;
  const [{ createSkillRoom }, { createSkillFetcher }] = await Promise.all([
    import('../../skills/index.ts'),
    import('../../skills/import/index.ts'),
  ]);
  return createSkillRoom({
    name: source,
    settings,
    directory,
    watch,
    refresh,
    staticNames,
    async isolation() {
      const { scriptIsolation } = await import('../../sandbox/index.ts');
      return scriptIsolation(mode());
    },
    note: record,
    report: (error, what) => report(error, `Source ${source}: ${what}`),
    importer: createSkillFetcher({ egress }),
  });
}
