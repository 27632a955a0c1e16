import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { storeBackup, storeMigrate, storeRestore, storeStatus } from '../../src/cli/commands/store.ts';
import type { SourceOptions } from '../../src/cli/options/source-options.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { isToolcribError } from '../../src/errors.ts';
import { createDurableEvents } from '../../src/events/durable-events.ts';
import { entryOf } from '../../src/events/event-rows.ts';
import { MIGRATIONS } from '../../src/store/migrations/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Restored } from '../../src/store/restore.ts';
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

  it('status counts the rows of every table that a store has', async () => {
    const made = new DatabaseSync(crib.path('data', 'toolcrib.db'), { readOnly: true });
    const tables = made.prepare("select name from sqlite_master where type = 'table'").all();
    made.close();
    const names = tables.map(({ name }) => String(name));
    const ours = names.filter((name) => name !== 'store_versions' && !name.startsWith('sqlite_'));
    expect(Object.keys((await status()).rows).sort()).toEqual(ours.sort());
  });

  it('status and backup work while a gateway uses it', async () => {
    const store = await openStore(`sqlite:${crib.path('data', 'toolcrib.db')}`);
    const events = createDurableEvents({ store });
    await events.append(callStarted('c1'));
    const { out } = await run((terminal) => storeStatus(options({ json: false }), terminal));
    expect(out).toContain('\nprocesses  1 alive, each from its first call on\n');
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

  it('a backup that is broken off leaves nothing under its name', async () => {
    const big = new DatabaseSync(crib.path('big.db'));
    big.exec('create table rows (text text)');
    big.exec(
      "insert into rows with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000) select printf('%.*c', 1000, 'x') from n",
    );
    big.close();
    const module = new URL('../../src/store/backup.ts', import.meta.url).href;
    const [address, target] = [`sqlite:${crib.path('big.db')}`, crib.path('broken.db')];
    const code = `import { backupStore } from ${JSON.stringify(module)}; await backupStore(${JSON.stringify(address)}, ${JSON.stringify(target)});`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    await expect
      .poll(() => readdirSync(crib.home).some((name) => name.startsWith('broken.db')), { interval: 1 })
      .toBe(true);
    child.kill('SIGKILL');
    await ended;
    expect(readdirSync(crib.home)).not.toContain('broken.db');
  });

  it.each([
    ['overwrites nothing', 'sqlite:./data/toolcrib.db', 'copy.db', 'file_conflict', 'copy.db'],
    ['needs a store', 'sqlite:./none.db', 'new.db', 'store_unavailable', 'none.db'],
    ['needs a folder', 'sqlite:./data/toolcrib.db', 'nowhere/new.db', 'usage', 'nowhere'],
    [
      'is told of its own folder',
      'sqlite:./data/toolcrib.db',
      'toolcrib.yaml/new.db',
      'file_unusable',
      'ENOTDIR',
    ],
    ['names what backs up PostgreSQL', 'postgres://ann:hunter2@db/crib', "it's.dump", 'usage', 'pg_dump'],
    ['has nothing to do without a store', 'none', 'new.db', 'configuration_invalid', 'none'],
  ])('backup %s', async (_, store, file, code, said) => {
    const config = await configured('other.yaml', store);
    const error = await run((terminal) => storeBackup(file, { config }, terminal)).catch(
      (thrown: unknown) => thrown,
    );
    expect(isToolcribError(error) && error.code).toBe(code);
    const { message, next, location = '' } = error as { message: string; next: string; location?: string };
    expect(`${message} ${location}`).toContain(said);
    expect(message).not.toContain('hunter2');
    if (said === 'pg_dump') expect(next).toContain('as the owner of the tables');
  });

  it('reads well for people', async () => {
    const { out } = await run((terminal) => storeStatus(options({ json: false }), terminal));
    expect(out).toMatch(/^address {4}sqlite:.*toolcrib\.db \(sqlite\)$/m);
    expect(out).toContain(`\nversion    ${VERSION}\n`);
    expect(out).toMatch(/^ +2 {2}events$/m);
  });

  describe('restore', () => {
    const restore = (config: string, file: string) =>
      run((terminal) => storeRestore(file, { config, json: true }, terminal));
    const callsIn = async (...parts: string[]) => {
      const store = await openStore(`sqlite:${crib.path(...parts)}`);
      const listed = await createDurableEvents({ store, recover: false }).list();
      await store.close();
      return listed.map((event) => (event as { call?: string }).call);
    };

    it('puts a backup in the place of the store, and keeps what was there', async () => {
      expect(await callsIn('data', 'toolcrib.db')).toEqual(['c1', 'c2']);
      const { exit, out } = await restore(config, 'copy.db');
      const restored = JSON.parse(out) as Restored;
      expect(exit).toBe(0);
      expect(restored).toMatchObject({ file: crib.path('data', 'toolcrib.db'), version: VERSION });
      expect(await callsIn('data', 'toolcrib.db')).toEqual(['c1']);
      expect(statSync(restored.file).mode & 0o777).toBe(0o600);
      expect(basename(restored.kept!)).toMatch(/^toolcrib\.db\.\d{8}T\d{6}Z\.before-restore$/);
      expect(await callsIn('data', basename(restored.kept!))).toEqual(['c1', 'c2']);
      expect(await callsIn('copy.db')).toEqual(['c1']);
    });

    it('gives no sequence again that was given after the backup', async () => {
      const path = crib.path('counted', 'toolcrib.db');
      const next = async () => {
        const store = await openStore(`sqlite:${path}`);
        const [sequence] = await store.append([entryOf(callStarted(randomUUID()), 0, store.process)]);
        await store.close();
        return sequence!;
      };
      const counted = await configured('counted.yaml', `sqlite:${path}`);
      await restore(counted, 'copy.db');
      // nobody knows how far the store had come that the backup is of
      expect(await next()).toBeGreaterThan(1_000_000);
      const last = await next();
      await restore(counted, 'copy.db');
      expect(await next()).toBe(last + 1);
    });

    it('is how a damaged store comes back, whose journal is not taken for that of the backup', async () => {
      const path = crib.path('damaged', 'toolcrib.db');
      const store = await openStore(`sqlite:${path}`);
      await store.change(['keys'], async () => {});
      await copyFile(`${path}-wal`, crib.path('left-wal'));
      await store.close();
      await writeFile(path, 'no database at all'.repeat(500));
      await writeFile(`${path}-wal`, (await readFile(crib.path('left-wal'))).fill(7, 0, 32));
      const damaged = await configured('damaged.yaml', 'sqlite:./damaged/toolcrib.db');
      const { kept } = JSON.parse((await restore(damaged, 'copy.db')).out) as Restored;
      expect(await readFile(kept!, 'utf8')).toContain('no database at all');
      expect(readdirSync(crib.path('damaged'))).not.toContain('toolcrib.db-wal');
      expect(await callsIn('damaged', 'toolcrib.db')).toEqual(['c1']);
    });

    it('makes a store where none is', async () => {
      const none = await configured('none-yet.yaml', 'sqlite:./not/yet/toolcrib.db');
      expect(JSON.parse((await restore(none, 'copy.db')).out)).not.toHaveProperty('kept');
      expect(await callsIn('not', 'yet', 'toolcrib.db')).toEqual(['c1']);
    });

    it.each([
      ['while a gateway uses the store', 'copy.db', 'file_conflict', 'has this store open.'],
      ['of a file that is not there', 'nowhere.db', 'source_unreadable', 'The backup is not there.'],
      ['of a folder', 'data', 'usage', 'This is a folder or the like, and no backup.'],
      ['of an empty file', 'empty.db', 'usage', 'The backup is empty.'],
      ['of another file', 'toolcrib.yaml', 'usage', 'This is no SQLite database, so no backup of a store.'],
      ['of another database', 'other.db', 'usage', 'This is a SQLite database, but no store'],
      ['of a part of one', 'cut.db', 'usage', 'The backup is damaged or was cut off: '],
      ['of a newer program', 'newer.db', 'store_version', `The backup is at version ${VERSION + 1}; this`],
    ])('changes nothing %s', async (when, file, code, said) => {
      const path = crib.path('data', 'toolcrib.db');
      await copyFile(crib.path('copy.db'), crib.path('newer.db'));
      const newer = new DatabaseSync(crib.path('newer.db'));
      newer.exec(`insert into store_versions values (${VERSION + 1}, 'later', 0)`);
      newer.close();
      await writeFile(crib.path('empty.db'), '');
      await writeFile(crib.path('cut.db'), (await readFile(crib.path('copy.db'))).subarray(0, 60_000));
      const other = new DatabaseSync(crib.path('other.db'));
      other.exec('create table if not exists things (id)');
      other.close();
      const store = when.startsWith('while') ? await openStore(`sqlite:${path}`) : undefined;
      const { ino } = statSync(path);
      await expect(restore(config, file)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(said),
        next: expect.not.stringContaining('--help'),
      });
      expect(statSync(path).ino).toBe(ino);
      await store?.change(['keys'], async () => {});
      await store?.close();
      expect(readdirSync(crib.path('data')).filter((name) => name.includes('restoring'))).toEqual([]);
    });

    it.each([
      [
        'PostgreSQL',
        'postgres://ann:hunter2@db/crib',
        'usage',
        "pg_restore --no-owner --dbname 'postgres://ann@db/crib' ",
      ],
      ['no store', 'none', 'configuration_invalid', 'nothing to'],
    ])('of %s says what to do', async (_, store, code, said) => {
      const other = await configured('other.yaml', store);
      await expect(restore(other, 'copy.db')).rejects.toMatchObject({
        code,
        message: expect.stringContaining(said),
      });
    });

    it('of PostgreSQL in a schema of its own leads there, by the words of its programs', async () => {
      const address =
        'postgres://ann:hunter2@db/crib?sslmode=no-verify&options=-c%20search_path%3Dcrib&max=3';
      const other = await configured('other.yaml', address);
      await expect(restore(other, 'copy.db')).rejects.toMatchObject({
        message: expect.stringContaining(
          "--dbname 'postgres://ann@db/crib?sslmode=require&options=-c%20search_path%3Dcrib' ",
        ),
      });
    });

    it('of PostgreSQL says what has to follow, as the guide does', async () => {
      const other = await configured('other.yaml', 'postgres://ann:hunter2@db/crib');
      const thrown: unknown = await restore(other, 'copy.db').catch((error: unknown) => error);
      const { next } = thrown as { next: string };
      expect(next).toContain(
        "Stop every gateway of the store first, and before one starts again: psql 'postgres://ann@db/crib' ",
      );
      const guide = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
      const statements = [...guide.matchAll(/-c \\\n {2}("[^"]+")/g)].map(([, statement]) => statement);
      expect(statements).toHaveLength(2);
      for (const statement of statements) expect(next).toContain(`-c ${statement}`);
      expect(next).not.toContain('hunter2');
    });
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
});
