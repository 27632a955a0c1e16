import { absolutePath } from '../../config/index.ts';
import { ERRORS } from '../../errors.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { resolveConfiguration } from '../resolve-configuration.ts';
import { storeOf } from '../store-of.ts';
import { json, painter, type Terminal } from '../terminal/terminal.ts';

/**
 * What the store is, how large, at which version, and who uses it. Exit code 78 when the version does not fit, 69 when no
 * gateway can use it.
 */
export async function storeStatus(options: SourceOptions, terminal: Terminal): Promise<number> {
  const [{ inspectStore }, { versionAdvice }] = await Promise.all([
    import('../../store/inspect.ts'),
    import('../../store/migrate.ts'),
  ]);
  const status = await inspectStore(await address(options, terminal));
  const fits = !status.exists || status.version === status.needed;
  const exit = !fits ? 78 : status.writable ? 0 : ERRORS.store_unavailable.exit;
  if (options.json) {
    terminal.out(json({ ok: exit === 0, ...status }));
    return exit;
  }
  terminal.out(`address    ${status.address} (${status.dialect})`);
  if (!status.exists) {
    terminal.out('It is not there yet; the first gateway that needs it makes it.');
    return 0;
  }
  terminal.out(`version    ${status.version}${fits ? '' : ` (this program needs ${status.needed})`}`);
  terminal.out(`size       ${size(status.bytes)}`);
  terminal.out(`processes  ${status.processes} alive, each from its first call on`);
  for (const [table, rows] of Object.entries(status.rows))
    terminal.out(`${String(rows).padStart(10)}  ${table}`);
  if (!fits) terminal.note(painter(terminal)('yellow', versionAdvice(status.version, status.needed)));
  if (status.unwritable !== undefined) {
    const { reason, next } = status.unwritable;
    terminal.note(painter(terminal)('yellow', `No gateway can use it: ${reason}. ${next}`));
  }
  return exit;
}

/** Brings the store to this program's version; a SQLite file that is not there is made. */
export async function storeMigrate(options: SourceOptions, terminal: Terminal): Promise<number> {
  const where = await address(options, terminal);
  const [{ withConnection }, { migrate, NEWEST_VERSION }, { describeAddress }] = await Promise.all([
    import('../../store/connect.ts'),
    import('../../store/migrate.ts'),
    import('../../store/address.ts'),
  ]);
  const applied = await withConnection(where, ({ database, dialect }) => migrate(database, dialect));
  if (options.json) {
    terminal.out(json({ address: describeAddress(where), version: NEWEST_VERSION, applied }));
  } else if (applied.length === 0) {
    terminal.out(`${describeAddress(where)} is at version ${NEWEST_VERSION} already.`);
  } else {
    terminal.out(`${describeAddress(where)} is now at version ${NEWEST_VERSION} (${applied.join(', ')}).`);
  }
  return 0;
}

/** A whole copy of a SQLite store while it is used; for PostgreSQL the command that makes one. */
export async function storeBackup(file: string, options: SourceOptions, terminal: Terminal): Promise<number> {
  const { backupStore } = await import('../../store/backup.ts');
  const target = absolutePath(file, terminal.cwd, terminal.env);
  const backup = await backupStore(await address(options, terminal), target);
  terminal.out(options.json ? json(backup) : `${backup.file}: ${size(backup.bytes)}`);
  return 0;
}

/** A backup in the place of a SQLite store that nobody uses; for PostgreSQL the command that does it. */
export async function storeRestore(
  file: string,
  options: SourceOptions,
  terminal: Terminal,
): Promise<number> {
  const { restoreStore } = await import('../../store/restore.ts');
  const backup = absolutePath(file, terminal.cwd, terminal.env);
  const restored = await restoreStore(await address(options, terminal), backup);
  if (options.json) {
    terminal.out(json(restored));
    return 0;
  }
  terminal.out(`${restored.file}: ${size(restored.bytes)}, version ${restored.version}`);
  if (restored.kept !== undefined) terminal.out(`The store that was there is now ${restored.kept}.`);
  return 0;
}

async function address(options: SourceOptions, terminal: Terminal): Promise<string> {
  const { configuration } = await resolveConfiguration(options.spec ?? [], options, terminal, {
    listening: false,
  });
  return storeOf(configuration, 'The configuration says store: none; there is nothing to look at.');
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
