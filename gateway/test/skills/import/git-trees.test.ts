import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fetchRepository } from '../../../src/skills/import/git/fetch-repository.ts';
import { packet } from '../../../src/skills/import/git/pkt-lines.ts';
import { IMPORT_LIMITS } from '../../../src/skills/import/import-limits.ts';
import { createPackageWriter } from '../../../src/skills/import/package-writer.ts';
import { temporaryFolder } from './importing.ts';

const TYPES = { commit: 1, tree: 2 } as const;

/** Objects as a git server sends them, and their ids. */
function hostileRepository() {
  const objects: { type: keyof typeof TYPES; content: Buffer }[] = [];
  const add = (type: keyof typeof TYPES, content: Buffer): string => {
    objects.push({ type, content });
    return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');
  };
  /** A folder of so many entries that are all the same one. */
  const tree = (count: number, mode: string, id: string) =>
    add(
      'tree',
      Buffer.concat(
        Array.from({ length: count }, (_, at) =>
          Buffer.concat([Buffer.from(`${mode} n${at}\0`), Buffer.from(id, 'hex')]),
        ),
      ),
    );
  const pack = () => {
    const head = Buffer.alloc(12);
    head.write('PACK');
    head.writeUInt32BE(2, 4);
    head.writeUInt32BE(objects.length, 8);
    const pieces = objects.flatMap(({ type, content }) => [
      header(type, content.length),
      deflateSync(content),
    ]);
    const whole = Buffer.concat([head, ...pieces]);
    return Buffer.concat([whole, createHash('sha1').update(whole).digest()]);
  };
  return { add, tree, pack };
}

function header(type: keyof typeof TYPES, size: number): Buffer {
  const bytes = [(TYPES[type] << 4) | (size % 16)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest % 128);
  }
  return Buffer.from(bytes);
}

async function imported(root: string, { add, pack }: ReturnType<typeof hostileRepository>) {
  const commit = add('commit', Buffer.from(`tree ${root}\n\n`));
  const content = pack();
  const refs = Buffer.concat([
    packet('# service=git-upload-pack\n'),
    Buffer.from('0000'),
    packet(`${commit} HEAD\0side-band-64k shallow\n`),
    Buffer.from('0000'),
  ]);
  const pieces = Array.from({ length: Math.ceil(content.length / 60_000) }, (_, at) => {
    const piece = content.subarray(at * 60_000, (at + 1) * 60_000);
    return Buffer.concat([
      Buffer.from((piece.length + 5).toString(16).padStart(4, '0')),
      Buffer.from([1]),
      piece,
    ]);
  });
  const answers = [
    [refs, 'application/x-git-upload-pack-advertisement'] as const,
    [Buffer.concat([packet('NAK\n'), ...pieces, Buffer.from('0000')]), 'application/x-git'] as const,
  ];
  const url = 'https://git.example/x.git';
  const { signal } = new AbortController();
  const folder = await temporaryFolder();
  return fetchRepository(
    { kind: 'git', url },
    createPackageWriter(folder, undefined, signal),
    {
      fetch: async () => {
        const [body, type] = answers.shift()!;
        const response = new Response(body, { headers: { 'content-type': type } });
        Object.defineProperty(response, 'url', { value: `${url}/info/refs` });
        return response;
      },
    },
    signal,
  );
}

const most = IMPORT_LIMITS.entries;

test('folders of folders that are all one folder are counted while they are looked through', async () => {
  const repository = hostileRepository();
  const empty = repository.tree(0, '40000', '');
  const inner = repository.tree(most, '40000', empty);
  const root = repository.tree(most, '40000', inner);
  const before = process.memoryUsage().rss;
  await expect(imported(root, repository)).rejects.toMatchObject({
    code: 'archive_refused',
    message: expect.stringContaining(`more than ${most} folders`),
  });
  // a hundred million names would be gigabytes
  expect(process.memoryUsage().rss - before).toBeLessThan(500 * 1024 * 1024);
});

test('one folder has no more entries than a package', async () => {
  const repository = hostileRepository();
  const empty = repository.tree(0, '40000', '');
  const root = repository.tree(most + 1, '100644', empty);
  await expect(imported(root, repository)).rejects.toMatchObject({
    code: 'archive_refused',
    message: expect.stringContaining(`more than ${most} entries`),
  });
});
