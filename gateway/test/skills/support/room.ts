import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { DynamicToolEvent } from '../../../src/operations/index.ts';
import { createSkillRoom, type SkillRoomOptions } from '../../../src/skills/create-skill-room.ts';
import type { SkillRoom } from '../../../src/skills/room.ts';

export interface TestRoom {
  readonly room: SkillRoom;
  readonly events: DynamicToolEvent[];
  readonly reports: string[];
  /** How often the catalog was made anew. */
  readonly refreshes: () => number;
  readonly directory: string;
}

const never = new AbortController().signal;

/** A room whose catalog is the snapshot's path; prepared unless told otherwise. */
export async function openRoom(
  folder: string,
  options: Partial<SkillRoomOptions> & { readonly prepared?: boolean } = {},
): Promise<TestRoom> {
  const { prepared = true, ...more } = options;
  const events: DynamicToolEvent[] = [];
  const reports: string[] = [];
  let refreshes = 0;
  const directory = more.directory ?? join(folder, 'state');
  const room: SkillRoom = createSkillRoom({
    name: 'teaching',
    settings: { roots: [join(folder, 'skills')], secrets: {} },
    directory,
    async refresh() {
      refreshes++;
      await room.prepare(never);
    },
    staticNames: () => new Set(),
    isolation: async () => 'bubblewrap 0.8.0',
    note: (event) => void events.push(event),
    report: (error, what) => void reports.push(`${what}: ${(error as Error).message}`),
    watch: false,
    importer: async () => {
      throw new Error('This test imports nothing.');
    },
    ...more,
  });
  onTestFinished(() => room.close());
  if (prepared) await room.prepare(never);
  return { room, events, reports, refreshes: () => refreshes, directory };
}
