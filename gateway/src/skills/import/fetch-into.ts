import { mkdir, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ToolcribError } from '../../errors.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { renameFile } from '../../files/rename-file.ts';
import type { Diagnostic } from '../../operations/index.ts';
import type { SkillImportSource } from '../room.ts';
import { type SkillAddress, understandAddress } from './address.ts';
import { archiveKindOf } from './archive-kind.ts';
import { copyFolder } from './copy-folder.ts';
import { type Door, download, transferSignal } from './download.ts';
import type { FetchedPackages } from './fetch-packages.ts';
import { findSkills, listOnDisk, nameIn } from './find-skills.ts';
import { IMPORT_LIMITS } from './import-limits.ts';
import { createPackageWriter } from './package-writer.ts';
import { addressRefused, refused, shownUrl } from './refuse.ts';

/** See `FetchPackages`. */
export async function fetchInto(
  source: SkillImportSource,
  staging: string,
  door: Door,
  signal: AbortSignal,
): Promise<FetchedPackages> {
  const unpacked = join(staging, 'package');
  await makeFolder(unpacked, 0o777);
  const findings: Diagnostic[] = [];
  try {
    if (source.kind === 'path') await fromPath(source.path, unpacked, findings, signal);
    else if (source.kind === 'bytes') {
      const file = join(staging, 'received');
      await writeFile(file, source.bytes, { flag: 'wx', mode: 0o600 });
      await fromFile(file, source.bytes.byteLength, source.name, unpacked, signal);
    } else {
      const address = understandAddress(source.url);
      findings.push(...(await fromUrl(address, staging, unpacked, door, transferSignal(signal))));
    }
  } catch (error) {
    if (signal.aborted) throw new ToolcribError('cancelled', 'The import was cancelled.', { cause: error });
    if ((error as Error).name === 'TimeoutError')
      throw new ToolcribError('deadline_exceeded', 'The import took longer than five minutes.', {
        cause: error,
      });
    throw error;
  }
  const skills = await findSkills(listOnDisk(unpacked));
  if (skills[0] !== '')
    return { folders: skills.map((path) => join(unpacked, path)), root: unpacked, findings };
  const name = await nameIn(join(unpacked, 'SKILL.md'));
  const named = join(staging, `skill`, name ?? 'package');
  await mkdir(join(staging, 'skill'));
  await renameFile(unpacked, named);
  return { folders: [named], root: named, findings };
}

async function fromPath(
  path: string,
  unpacked: string,
  findings: Diagnostic[],
  signal: AbortSignal,
): Promise<void> {
  const facts = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const what = error.code === 'ENOENT' ? 'there is nothing of that name' : (error.code ?? 'unreadable');
    throw new ToolcribError('source_unreadable', `Cannot read ${path}: ${what}.`, { cause: error });
  });
  if (!facts.isDirectory()) return fromFile(path, facts.size, basename(path), unpacked, signal);
  const writer = createPackageWriter(unpacked, undefined, signal);
  const copy = { root: await realpath(path), writer, findings };
  for (const skill of await findSkills(listOnDisk(path))) await copyFolder(copy, join(path, skill), skill);
}

/** @param name for people */
async function fromFile(
  file: string,
  size: number,
  name: string,
  unpacked: string,
  signal: AbortSignal,
): Promise<void> {
  if (size > IMPORT_LIMITS.archiveBytes)
    throw refused(`is larger than ${IMPORT_LIMITS.archiveBytes} bytes.`, name);
  const kind = await archiveKindOf(file);
  const writer = createPackageWriter(unpacked, size, signal);
  if (kind === 'zip') return (await import('./unzip.ts')).unzip(file, writer, signal);
  if (kind === 'tar' || kind === 'gzip')
    return (await import('./untar.ts')).untar(
      file,
      { gzip: kind === 'gzip', packedBytes: size },
      writer,
      signal,
    );
  if (kind === undefined) throw refused('is no .zip, .tar, .tar.gz and no SKILL.md.', name);
  if (size > IMPORT_LIMITS.documentBytes)
    throw refused(`is larger than ${IMPORT_LIMITS.documentBytes} bytes.`, name);
  const { createReadStream } = await import('node:fs');
  await createPackageWriter(unpacked, undefined, signal).file('SKILL.md', false, createReadStream(file));
}

async function fromUrl(
  address: SkillAddress,
  staging: string,
  unpacked: string,
  door: Door,
  signal: AbortSignal,
): Promise<Diagnostic[]> {
  const { url } = address;
  const findings = plainHttp(url);
  // only a repository has branches and folders to choose from
  const isRepository = address.kind === 'git' || address.ref !== undefined || address.folder !== undefined;
  if (!isRepository) {
    const file = join(staging, 'received');
    const size = await download(url, file, door, signal);
    if ((await archiveKindOf(file)) !== undefined) {
      await fromFile(file, size, shownUrl(url), unpacked, signal);
      return findings;
    }
  }
  const { fetchRepository } = await import('./git/fetch-repository.ts');
  const writer = createPackageWriter(unpacked, undefined, signal);
  const fetched = await fetchRepository({ ...address, kind: 'git' }, writer, door, signal).catch((error) => {
    // a page of another kind was there, and asking for a repository in its place was the last try
    const isAnswer = error instanceof ToolcribError && error.code === 'source_unreadable';
    if (!isRepository && isAnswer) return undefined;
    throw error;
  });
  if (fetched !== undefined) return [...findings, ...fetched];
  const what = isRepository ? 'git repository' : '.zip, .tar, .tar.gz, SKILL.md or git repository';
  throw addressRefused(`${shownUrl(url)} is no ${what}.`);
}

function plainHttp(url: string): Diagnostic[] {
  const { protocol, hostname, origin } = new URL(url);
  if (protocol === 'https:' || /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) return [];
  return [
    {
      code: 'skill-import-plain',
      severity: 'warning',
      message: `The package came from ${origin} without encryption: anybody on the way could have changed it.`,
    },
  ];
}
