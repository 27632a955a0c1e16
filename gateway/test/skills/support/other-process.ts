// Another gateway on the same state folder: does what it is told, one message after the other.
import { createSkillRoom } from '../../../src/skills/index.ts';
import { marksOf } from './marked-skill.ts';

const [root = '', directory = ''] = process.argv.slice(2);
const never = new AbortController().signal;
const reports: string[] = [];
const room = createSkillRoom({
  name: 'other',
  settings: { roots: [root], secrets: {} },
  directory,
  refresh: async () => void (await room.prepare(never)),
  staticNames: () => new Set(),
  isolation: async () => 'bubblewrap 0.8.0',
  note: () => undefined,
  report: (error, what) => void reports.push(`${what}: ${(error as Error).message}`),
  watch: false,
  importer: async () => {
    throw new Error('Nothing is imported here.');
  },
});

async function openAll(): Promise<string[][]> {
  const marks: string[][] = [];
  for (const { id, version } of room.list()) {
    const { folder, release } = await room.open(id, version);
    marks.push(marksOf(folder));
    release();
  }
  return marks;
}

const tasks: Record<string, () => Promise<unknown>> = {
  prepare: () => room.prepare(never),
  freshen: async () => {
    await room.freshen();
    for (const { id } of room.list()) await room.freshen(id);
  },
  open: openAll,
  versions: async () => room.list().map(({ version }) => version),
  reports: async () => reports,
  close: () => room.close(),
};

process.on('message', async (task: string) => {
  const answer = await tasks[task]?.().then(
    (value) => ({ value }),
    (error: Error) => ({ error: error.message }),
  );
  process.send?.(answer ?? { error: 'unknown task' });
  if (task === 'close') process.disconnect();
});
