import { writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { TICKETS } from '../topology/search-set.ts';
import { temporaryHome } from './command-run.ts';

const crib = temporaryHome();
const rules = 'policy: { approvals: { rules: [{ operation: getTicket, action: ask }] } }\n';
beforeAll(async () => {
  const source = 'store: none\nsources: { desk: { openapi: desk.json } }\n';
  await writeFile(crib.path('desk.json'), JSON.stringify(TICKETS));
  await writeFile(
    crib.path('plain.yaml'),
    'store: none\nsources: { desk: { openapi: desk.json, exclude: [{ operation: deleteTicket }] } }\n',
  );
  await writeFile(crib.path('asks.yaml'), source + rules);
  await writeFile(crib.path('found.yaml'), `topology: search\n${source}${rules}`);
});

describe('toolcrib tools', () => {
  it('shows which tools a person is asked about before a call', async () => {
    const { exit, out, err } = await crib.run(['tools', '--config', 'asks.yaml']);
    expect(exit).toBe(0);
    expect(out).toMatch(/^desk_getTicket +read +asks {2}\S/m);
    expect(out).toMatch(/^desk_deleteTicket +delete {2}asks {2}\S/m);
    expect(out).toMatch(/^desk_listTickets +read {10}\S/m);
    expect(err).toMatch(/^4 tools, 2 wait for a person before a call$/m);
  });

  it('leaves no room for it where nobody is asked', async () => {
    const { out, err } = await crib.run(['tools', '--config', 'plain.yaml']);
    expect(out).toMatch(/^desk_listTickets +read {4}\S/m);
    expect(err).toMatch(/^3 tools$/m);
  });

  it('counts the operations that ask where other tools lead to them', async () => {
    const { out, err } = await crib.run(['tools', '--config', 'found.yaml']);
    expect(out).not.toMatch(/ asks /);
    expect(err).toMatch(/for 4 operations \(search\), 2 wait for a person before a call$/m);
  });
});
