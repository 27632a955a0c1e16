import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../src/config/index.ts';
import { createGateway, type Gateway } from '../../src/gateway.ts';
import type { Principal } from '../../src/operations/index.ts';
import { removeTree } from '../../src/skills/frozen/remove-tree.ts';

const TEACHER: Principal = { id: 't', kind: 'token', maxAccess: 'delete', roles: ['teacher'] };
const MANIFEST = `
tools:
  - name: count_words
    description: Counts the words of a text.
    access: read
    input_schema: { type: object, properties: { text: { type: string } }, required: [text] }
    executor: { type: script, entry: scripts/count.sh, args_template: ['{{args.text}}'] }
`;

/** A gateway over one skill, from the configuration to the call; nothing of the skill is run. */
describe('tools of a skill', () => {
  let folder: string;
  let gateway: Gateway;
  const configuration = (more: object) =>
    parseConfiguration(
      { store: 'none', watch: false, sources: { teaching: { skills: './skills' } }, ...more },
      { baseDirectory: folder, env: { HOME: folder, XDG_STATE_HOME: join(folder, 'state') } },
    );
  const tools = (principal?: Principal) =>
    gateway.view(principal).tools.flatMap(({ name }) => (name === 'count_words' ? [name] : []));
  const codeOf = async (principal?: Principal) => {
    const result = await gateway.call({
      tool: 'count_words',
      arguments: { text: 'a b' },
      dryRun: true,
      ...(principal === undefined ? {} : { principal }),
    });
    return result.kind === 'completed' ? result.error?.code : result.kind;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolcrib-skill-roles-'));
    const skill = join(folder, 'skills', 'words');
    await mkdir(join(skill, 'scripts'), { recursive: true });
    await writeFile(
      join(skill, 'SKILL.md'),
      '---\nname: words\ndescription: Works with words.\n---\nCount.\n',
    );
    await writeFile(join(skill, 'tool-manifest.yaml'), MANIFEST);
    await writeFile(join(skill, 'scripts', 'count.sh'), 'wc -w\n');
    gateway = await createGateway(await configuration({}));
  });
  afterAll(async () => {
    await gateway.close();
    await removeTree(folder);
  });

  it('are for everybody at first', () => {
    expect([tools(), tools(TEACHER)]).toEqual([['count_words'], ['count_words']]);
  });

  it('are for teachers as soon as the configuration says production, and for nobody else', async () => {
    const policy = { skills: { visible: 'all' } };
    await gateway.reconfigure(await configuration({ environment: 'production', policy }));
    expect([tools(), tools(TEACHER)]).toEqual([[], ['count_words']]);
    expect(await codeOf()).toBe('tool_forbidden');
    expect(await codeOf(TEACHER)).not.toBe('tool_forbidden');
    const { visible, checks } = await gateway.explain('count_words');
    expect(visible).toBe(false);
    expect(checks.filter(({ passes }) => !passes)).toMatchObject([
      { check: 'skill', needed: 'switched on, and the role teacher' },
    ]);
  });

  it('are for nobody once they are switched off', async () => {
    await gateway.reconfigure(await configuration({ policy: { skills: { enabled: false } } }));
    expect([tools(), tools(TEACHER)]).toEqual([[], []]);
    expect([await codeOf(), await codeOf(TEACHER)]).toEqual(['tool_forbidden', 'tool_forbidden']);
  });
});
