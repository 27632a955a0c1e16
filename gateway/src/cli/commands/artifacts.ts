import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ArtifactStore } from '../../artifacts/index.ts';
import { absolutePath } from '../../config/index.ts';
import { ToolcribError } from '../../errors.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { resolveConfiguration } from '../resolve-configuration.ts';
import { showTable } from '../terminal/table.ts';
import { json, type Terminal } from '../terminal/terminal.ts';

export interface ArtifactOptions extends SourceOptions {
  readonly limit?: number;
  readonly out?: string;
}

export function listArtifacts(options: ArtifactOptions, terminal: Terminal): Promise<number> {
  return withArtifacts(options, terminal, async (artifacts) => {
    const found = await artifacts.list({ limit: options.limit ?? 50 });
    if (options.json) terminal.out(json({ artifacts: found }));
    else
      showTable(
        found,
        [
          ['ID', ({ id }) => id],
          ['TYPE', ({ mimeType }) => mimeType],
          ['BYTES', ({ size }) => String(size)],
          ['SINCE', ({ createdAt }) => createdAt],
          ['UNTIL', ({ expiresAt }) => expiresAt],
          ['NAME', ({ name }) => name],
        ],
        terminal,
      );
    return 0;
  });
}

/** Writes the bytes as they come; never over a file that is there. */
export function getArtifact(id: string, options: ArtifactOptions, terminal: Terminal): Promise<number> {
  return withArtifacts(options, terminal, async (artifacts) => {
    const artifact = await artifacts.open(idOf(id));
    if (artifact === undefined) throw unknown(id);
    const { stream, ...description } = artifact;
    const name = artifact.name.replace(/[^\w.() -]/g, '_').replace(/^\.+/, '_') || artifact.id;
    const file = absolutePath(options.out ?? name, terminal.cwd, terminal.env);
    const output = createWriteStream(file, { flags: 'wx', mode: 0o600 });
    let isOwn = false;
    output.once('open', () => {
      isOwn = true;
    });
    try {
      await pipeline(Readable.fromWeb(stream() as import('node:stream/web').ReadableStream), output);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') {
        // what was cut short would pass for the whole
        if (isOwn) await rm(file, { force: true });
        throw cause;
      }
      throw new ToolcribError('file_conflict', `${file} is there already: nothing was written.`, {
        location: file,
        next: 'Name another file with --out.',
        cause,
      });
    }
    terminal.out(options.json ? json({ file, ...description }) : `${file}: ${artifact.size} bytes`);
    return 0;
  });
}

export function removeArtifacts(
  ids: readonly string[],
  options: SourceOptions,
  terminal: Terminal,
): Promise<number> {
  return withArtifacts(options, terminal, async (artifacts) => {
    const removed: string[] = [];
    const missing: string[] = [];
    for (const id of ids) ((await artifacts.remove(idOf(id))) ? removed : missing).push(id);
    if (options.json) terminal.out(json({ removed, missing }));
    else if (removed.length > 0) terminal.out(`Removed ${removed.join(', ')}.`);
    if (missing.length === 0) return 0;
    if (!options.json) throw unknown(missing.join(', '));
    return 64;
  });
}

function idOf(text: string): string {
  return text.replace(/^toolcrib:\/\/artifacts\//, '');
}

function unknown(id: string): ToolcribError {
  return new ToolcribError('not_found', `There is no artifact ${id}.`, {
    next: 'See `toolcrib artifacts list`; it may have expired.',
  });
}

async function withArtifacts(
  options: SourceOptions,
  terminal: Terminal,
  use: (artifacts: ArtifactStore) => Promise<number>,
): Promise<number> {
  const { configuration } = await resolveConfiguration(options.spec ?? [], options, terminal, {
    listening: false,
  });
  const [{ createArtifacts }, { openStore }, { createEgress }, { createRedactor }] = await Promise.all([
    import('../../artifacts/index.ts'),
    import('../../store/open-store.ts'),
    import('../../egress/index.ts'),
    import('../../telemetry/redactor.ts'),
  ]);
  const store = configuration.store === 'none' ? undefined : await openStore(configuration.store);
  const egress = createEgress(configuration.egress);
  try {
    const { place, limits } = configuration.artifacts;
    return await use(
      createArtifacts({ store, place, limits, egress, env: terminal.env, redactor: createRedactor() }),
    );
  } finally {
    await egress.close();
    await store?.close();
  }
}
