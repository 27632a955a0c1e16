// Import, starts and reload of many skills with five tools each: what one skill costs should not grow with their number.
// node skills-reload.mjs [--sizes 100,250,500] [--runs 5]
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createSkillRoom } from '../gateway/src/skills/index.ts';
import { median, report, rounded } from './drivers/figures.mjs';

const { values: options } = parseArgs({
  options: { sizes: { type: 'string', default: '100,250,500' }, runs: { type: 'string', default: '5' } },
});
const TOOLS = ['count', 'sum', 'list', 'find', 'sort'];
const never = new AbortController().signal;
const sizes = options.sizes.split(',').map(Number);

// what is loaded and compiled for the first time belongs to no size
await measure(10);
const rows = [];
for (const size of sizes) {
  const runs = [];
  for (let run = 0; run < Number(options.runs); run++) runs.push(await measure(size));
  const of = (key) => median(runs.map((figures) => figures[key]));
  rows.push({
    skills: size,
    'import ms': rounded(of('imported'), 0),
    'import ms a skill': rounded(of('imported') / size, 2),
    'first start ms': rounded(of('cold'), 0),
    'first start ms a skill': rounded(of('cold') / size, 2),
    'next start ms': rounded(of('cached'), 0),
    'next start ms a skill': rounded(of('cached') / size, 3),
    'check all ms': rounded(of('all'), 1),
    'check one ms': rounded(of('one'), 2),
    'reload one ms': rounded(of('reload'), 0),
  });
}
report('skills-reload', rows, {
  note: 'Without compiling the catalog; a reload waits 50 ms for the folder to come to rest.',
});

async function measure(size) {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'));
  const coming = join(folder, 'coming');
  const root = join(folder, 'skills');
  for (let at = 0; at < size; at++) putSkill(join(coming, `skill-${at}`), `skill-${at}`);
  const rooms = [];
  const open = (state) => {
    const room = createSkillRoom({
      name: 'bench',
      settings: { roots: [root], secrets: {} },
      directory: join(folder, state),
      refresh: async () => void (await room.prepare(never)),
      staticNames: () => new Set(),
      isolation: async () => 'bubblewrap',
      note: () => undefined,
      report: (error, what) => console.error(what, error),
      watch: false,
      async importer(_source, staging) {
        cpSync(coming, staging, { recursive: true });
        return {
          folders: Array.from({ length: size }, (_, at) => join(staging, `skill-${at}`)),
          findings: [],
        };
      },
    });
    rooms.push(room);
    return room;
  };
  try {
    const importing = open('first');
    await importing.prepare(never);
    const imported = await time(() => importing.import({ kind: 'path', path: coming }, {}, never));
    await importing.close();
    const cold = await time(() => open('second').prepare(never));
    await rooms.at(-1).close();
    const room = open('second');
    const cached = await time(() => room.prepare(never));
    if (room.list().length !== size) throw new Error(`${room.list().length} of ${size} skills were read`);
    const all = await time(async () => room.freshen());
    const one = await time(async () => room.freshen('skill-1'));
    writeFileSync(join(root, 'skill-1/scripts/sum.sh'), '#!/bin/sh\necho changed\n');
    const before = room.get('skill-1').version;
    const reload = await time(async () => room.freshen('skill-1'));
    if (room.get('skill-1').version === before) throw new Error('nothing was reloaded');
    return { imported, cold, cached, all, one, reload };
  } finally {
    for (const room of rooms) await room.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function time(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function putSkill(folder, name) {
  mkdirSync(join(folder, 'scripts'), { recursive: true });
  writeFileSync(
    join(folder, 'SKILL.md'),
    `---\nname: ${name}\ndescription: Works on texts.\n---\n\n# ${name}\n${'What to do. '.repeat(200)}\n`,
  );
  const tools = TOOLS.map(
    (tool) => `  - name: ${name}_${tool}
    description: What ${tool} does with a text.
    input_schema:
      type: object
      properties:
        text: { type: string, description: The text. }
        limit: { type: integer, minimum: 1, maximum: 100, default: 10 }
      required: [text]
    executor:
      type: script
      entry: scripts/${tool}.sh
      args_template: ['--limit', '{{args.limit|default:10}}', '{{args.text}}']
`,
  );
  writeFileSync(join(folder, 'tool-manifest.yaml'), `version: 1\ntools:\n${tools.join('')}`);
  for (const tool of TOOLS)
    writeFileSync(join(folder, `scripts/${tool}.sh`), `#!/bin/sh\necho ${tool} "$@"\n`);
}
