import { writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { TICKETS } from '../topology/search-set.ts';
import { temporaryHome } from './command-run.ts';

const crib = temporaryHome();
beforeAll(() => writeFile(crib.path('desk.json'), JSON.stringify(TICKETS)));
const search = (...argv: string[]) => crib.run(['search', ...argv, '--spec', 'desk.json']);

describe('toolcrib search', () => {
  it('finds operations in plain words, one line each', async () => {
    const { exit, out } = await search('show', 'all', 'tickets');
    expect(exit).toBe(0);
    expect(out.split('\n')[0]).toMatch(/^listTickets.* GET \/projects\/{project}\/tickets: Lists tickets/);
  });

  it('finds what is wanted alone, as JSON without scores', async () => {
    const { out } = await search('ticket', '--intent', 'delete', '--json');
    const hits = JSON.parse(out) as Array<Record<string, unknown>>;
    expect(hits.every(({ access }) => access === 'delete')).toBe(true);
    expect(hits.flatMap(Object.keys)).not.toContain('score');
  });

  it('says that nothing fits', async () => {
    const { exit, err } = await search('zeppelin');
    expect(exit).toBe(0);
    expect(err).toMatch(/Nothing that you may call fits/);
  });

  it('refuses a source that is not there, instead of finding nothing in it', async () => {
    expect(await search('ticket', '--source', 'desk')).toMatchObject({ exit: 0, err: '' });
    expect(await search('ticket', '--source', 'dsk')).toMatchObject({
      exit: 64,
      err: expect.stringMatching(/^error source_unknown: There is no source "dsk"\. Did you mean "desk"\?/),
    });
  });

  it('refuses a limit that is none', async () => {
    expect(await search('ticket', '--limit', '0')).toMatchObject({ exit: 64 });
  });
});
