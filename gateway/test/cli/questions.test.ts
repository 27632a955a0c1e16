import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryHome } from './command-run.ts';

const crib = temporaryHome();
const FIXTURE = fileURLToPath(new URL('../upstreams/fixtures/scripted-server.mjs', import.meta.url));
const ERAS = ['legacy', 'modern'] as const;
type Era = (typeof ERAS)[number];

beforeAll(async () => {
  for (const era of ERAS) {
    await mkdir(crib.path(era));
    const server = { command: process.execPath, args: [FIXTURE], env: { SCRIPT: JSON.stringify({ era }) } };
    const policy = { approvals: { write: 'ask' } };
    const configuration = { mcpServers: { shed: server }, topology: 'flat' };
    await writeFile(crib.path(era, 'toolcrib.json'), JSON.stringify(configuration));
    await writeFile(crib.path(era, 'asking.json'), JSON.stringify({ ...configuration, policy }));
  }
});

/** A tool of a server of either era that answers with what it was answered. */
async function asking(
  era: Era,
  params: object,
  keys: readonly string[] | undefined,
  { config = 'toolcrib.json', env = {} }: { config?: string; env?: Record<string, string> } = {},
) {
  const question = { method: 'elicitation/create', params };
  const [tool, args] = era === 'legacy' ? ['shed_ask', question] : ['shed_input', { request: question }];
  const words = ['call', tool, JSON.stringify(args), '--config', crib.path(era, config)];
  const { exit, out, err } = await crib.run(words, {
    cwd: crib.path(era),
    env,
    ...(keys === undefined ? {} : { keys }),
  });
  const said = out === '' ? undefined : JSON.parse(out);
  return { exit, err, answer: era === 'legacy' ? said : said?.responses?.name };
}

const form = (properties: object, required: string[] = []) => ({
  mode: 'form',
  message: 'Which shed?\nThe small one leaks.',
  requestedSchema: { type: 'object', properties, required },
});

describe.each(ERAS)('toolcrib call, a server of the %s era that asks its person', (era) => {
  it('asks for the fields of a form, with their defaults, and sends what they are', async () => {
    const { exit, answer, err } = await asking(
      era,
      form(
        {
          name: { type: 'string', title: 'Name', description: 'As on the door.' },
          beds: { type: 'integer', minimum: 1, maximum: 9 },
          dry: { type: 'boolean', default: true },
          colour: {
            type: 'string',
            oneOf: [
              { const: '#f00', title: 'Red' },
              { const: '#0f0', title: 'Green' },
            ],
          },
          tools: { type: 'array', items: { type: 'string', enum: ['spade', 'rake', 'hoe'] } },
          note: { type: 'string' },
        },
        ['name', 'beds'],
      ),
      ['a', 'North', '4', 'yes', 'green', 'spade, 3', ''],
    );
    expect(answer).toEqual({
      action: 'accept',
      content: { name: 'North', beds: 4, dry: true, colour: '#0f0', tools: ['spade', 'hoe'] },
    });
    expect(exit).toBe(0);
    expect(err).toContain('The server "shed" asks: Which shed?\nThe small one leaks.\n');
    expect(err).toContain('  As on the door.\n');
    expect(err).toContain('  1 Red\n  2 Green\n');
  });

  it('asks again for what does not fit, and says why', async () => {
    const { answer, err } = await asking(era, form({ beds: { type: 'integer', maximum: 9 } }, ['beds']), [
      'a',
      '',
      'many',
      '10',
      '9007199254740993',
      '9',
    ]);
    expect(answer).toEqual({ action: 'accept', content: { beds: 9 } });
    expect(err.match(/^ {2}.+$/gm)).toEqual([
      '  An answer is needed.',
      expect.stringContaining('integer'),
      expect.stringContaining('9'),
      expect.stringContaining('9007199254740993'),
    ]);
  });

  it('words a default and a wrong entry as the person sees them', async () => {
    const items = {
      type: 'string',
      anyOf: [
        { const: 'f1', title: 'Tuna' },
        { const: 'f2', title: 'Trout' },
      ],
    };
    const { err, answer } = await asking(
      era,
      form({ fish: { type: 'array', items, default: ['f2', 'f1'] } }),
      ['a', 'Trout, Cod', 'Trout, Tuna'],
    );
    expect(answer).toEqual({ action: 'accept', content: { fish: ['f2', 'f1'] } });
    expect(err).toContain('  entry 2 must be ');
  });

  it.each([
    ['d', { action: 'decline' }],
    ['s', { action: 'cancel' }],
  ])('%s at a question is %o', async (key, expected) => {
    const { exit, answer } = await asking(era, form({ name: { type: 'string' } }), [key]);
    expect([exit, answer]).toEqual([0, expected]);
  });

  it('breaking off at a field leaves the whole question unanswered', async () => {
    const { answer } = await asking(era, form({ name: { type: 'string' }, more: { type: 'string' } }), [
      'a',
      'x',
    ]);
    expect(answer).toEqual({ action: 'cancel' });
  });

  it('shows a page whole before it is opened', async () => {
    const url = 'https://sheds.example/sign-in?for=shed';
    const page = { mode: 'url', message: 'Sign in first.', url, elicitationId: 'e1' };
    // no browser can be opened where no display is
    const opened = await asking(era, page, ['o'], { env: { DISPLAY: '', BROWSER: '' } });
    expect(opened.answer).toEqual({ action: 'accept' });
    expect(opened.err).toContain(
      `The server "shed" asks: Sign in first.\n  ${url}\nNo browser can be opened here`,
    );
    expect((await asking(era, page, ['d'])).answer).toEqual({ action: 'decline' });
  });

  it('an approval stays a card with its own keys, before what the tool asks', async () => {
    const { answer, err } = await asking(
      era,
      form({ name: { type: 'string' } }, ['name']),
      ['a', 'a', 'North'],
      {
        config: 'asking.json',
      },
    );
    expect(answer).toEqual({ action: 'accept', content: { name: 'North' } });
    expect(err).toMatch(/approval {2,}[0-9a-f]{32}\n(.|\n)*The server "shed" asks: Which shed\?/);
  });

  it('nothing a server writes moves the cursor', async () => {
    const text = 'a\u001b[2Jb\u202ec\rd';
    const properties = { [text]: { type: 'string', title: text, description: text, enum: [text] } };
    const { err } = await asking(era, { ...form(properties), message: text }, ['a', '']);
    expect(err.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it('where nobody can be asked, the server is told so', async () => {
    const { exit, answer, err } = await asking(era, form({ name: { type: 'string' } }), undefined);
    if (era === 'legacy') expect([exit, answer]).toEqual([0, { action: 'cancel' }]);
    else
      expect([exit, err]).toEqual([
        69,
        expect.stringContaining('nobody can be asked here.\n  next: Call it at'),
      ]);
  });
});
