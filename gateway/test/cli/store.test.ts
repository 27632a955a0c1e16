import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { storeBackup, storeMigrate, storeStatus } from '../../src/cli/commands/store.ts';
import type { SourceOptions } from '../../src/cli/source-options.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { isToolcribError } from '../../src/errors.ts';
import { createDurableEvents } from '../../src/events/durable-events.ts';
import { MIGRATIONS } from '../../src/store/migrations/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { callStarted } from '../store/support/records.ts';
import { temporaryHome } from './command-run.ts';

/** A store that this version of the program made. */
const VERSION = MIGRATIONS.length;

const crib = temporaryHome();
const configured = async (name: string, store: string) => {
  await writeFile(crib.path(name), `store: ${JSON.stringify(store)}\nsources: {}\n`);
  return name;
};

async function run(command: (terminal: Terminal) => Promise<number>) {
  const out: string[] = [];
  const terminal = {
    env: { HOME: crib.home, XDG_STATE_HOME: join(crib.home, 'state') },
    cwd: crib.home,
    platform: 'linux',
    live: false,
    interactive: false,
    colour: false,
    out: (line: string) => out.push(line),
    note: (line: string) => out.push(line),
    readInput: async () => '',
    confirm: async () => false,
  } as unknown as Terminal;
  const exit = await command(terminal);
  return { exit, out: out.join('\n') };
}

describe('toolcrib store', () => {
  let config = '';
  const options = (more: Partial<SourceOptions> = {}): SourceOptions => ({ config, json: true, ...more });
  const status = async () => {
    const { exit, out } = await run((terminal) => storeStatus(options(), terminal));
    return { exit, ...JSON.parse(out) };
  };
  beforeAll(async () => {
    config = await configured('toolcrib.yaml', 'sqlite:./data/toolcrib.db');
  });

  it('status says that there is none yet, and makes none', async () => {
    expect(await status()).toMatchObject({ exit: 0, ok: true, exists: false, version: 0, rows: {} });
    expect(() => statSync(crib.path('data'))).toThrow();
  });

  it('migrate makes it, and has nothing to do the second time', async () => {
    const migrate = async () => JSON.parse((await run((terminal) => storeMigrate(options(), terminal))).out);
    expect(await migrate()).toMatchObject({
      version: VERSION,
      applied: MIGRATIONS.map(({ name }) => name),
    });
    expect(await migrate()).toMatchObject({ version: VERSION, applied: [] });
  });

  it('status and backup work while a gateway uses it', async () => {
    const store = await openStore(`sqlite:${crib.path('data', 'toolcrib.db')}`);
    const events = createDurableEvents({ store });
    await events.append(callStarted('c1'));
    expect(await status()).toMatchObject({
      exit: 0,
      dialect: 'sqlite',
      version: VERSION,
      needed: VERSION,
      processes: 1,
      rows: { events: 1, organisations: 0 },
    });
    const backup = await run((terminal) => storeBackup('copy.db', options({ json: false }), terminal));
    expect(backup.exit).toBe(0);
    await events.append(callStarted('c2'));
    await events.close();
    await store.close();
    expect(statSync(crib.path('copy.db')).mode & 0o777).toBe(0o600);
    const copy = await openStore(`sqlite:${crib.path('copy.db')}`);
    const { length } = await createDurableEvents({ store: copy, recover: false }).list();
    expect(length).toBe(1);
    await copy.close();
  });

  it.each([
    ['overwrites nothing', 'sqlite:./data/toolcrib.db', 'copy.db', 'file_conflict', 'copy.db'],
    ['needs a store', 'sqlite:./none.db', 'new.db', 'store_unavailable', 'none.db'],
    ['needs a folder', 'sqlite:./data/toolcrib.db', 'nowhere/new.db', 'usage', 'nowhere'],
    ['names what backs up PostgreSQL', 'postgres://ann:hunter2@db/crib', "it's.dump", 'usage', 'pg_dump'],
    ['has nothing to do without a store', 'none', 'new.db', 'usage', 'none'],
  ])('backup %s', async (_, store, file, code, said) => {
    const config = await configured('other.yaml', store);
    const error = await run((terminal) => storeBackup(file, { config }, terminal)).catch(
      (thrown: unknown) => thrown,
    );
    expect(isToolcribError(error) && error.code).toBe(code);
    const { message, location = '' } = error as { message: string; location?: string };
    expect(`${message} ${location}`).toContain(said);
    expect(message).not.toContain('hunter2');
  });

  it('a store that could not be made is an error whose advice is not the command itself', async () => {
    await writeFile(crib.path('file'), '');
    const config = await configured('under-a-file.yaml', 'sqlite:./file/deep/toolcrib.db');
    for (const command of [storeStatus, storeMigrate]) {
      const error = await run((terminal) => command({ config }, terminal)).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'store_unavailable',
        location: crib.path('file', 'deep', 'toolcrib.db'),
        next: expect.not.stringContaining('store status'),
      });
    }
  });

  it('reads well for people', async () => {
    const { out } = await run((terminal) => storeStatus(options({ json: false }), terminal));
    expect(out).toMatch(/^address {4}sqlite:.*toolcrib\.db \(sqlite\)$/m);
    expect(out).toContain(`\nversion    ${VERSION}\n`);
    expect(out).toMatch(/^ +2 {2}events$/m);
  });
});
