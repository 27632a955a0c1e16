import { contentOf, type Door, expectOk, throughDoor, transferLimits } from '../download.ts';
import { GIT_LIMITS, IMPORT_LIMITS } from '../import-limits.ts';
import { addressRefused, refused, shown, shownUrl } from '../refuse.ts';
import { FLUSH, packet, readPackets } from './pkt-lines.ts';

/** What a repository offers. */
export interface RemoteRefs {
  /** Where it answered, after redirects; without a slash at its end. */
  readonly url: string;
  /** Object ids by full name, `HEAD` too. */
  readonly ids: ReadonlyMap<string, string>;
  readonly capabilities: ReadonlySet<string>;
}

const REFS = '/info/refs?service=git-upload-pack';
const ID = /^[0-9a-f]{40}$/;
const AGENT = 'agent=toolcrib';

/**
 * Asks for branches and tags over smart HTTP (gitprotocol-http, version 0, which every server speaks). Undefined where
 * something else than a git server answers.
 */
export async function readRefs(
  url: string,
  door: Door,
  signal: AbortSignal,
): Promise<RemoteRefs | undefined> {
  return throughDoor(url, signal, async (transfer) => {
    const asked = withPath(url, REFS);
    const limits = transferLimits(GIT_LIMITS.refsBytes);
    const response = await door.fetch(asked, { signal: transfer }, limits);
    expectOk(response, url);
    const type = response.headers.get('content-type')?.split(';')[0]?.trim();
    if (type !== 'application/x-git-upload-pack-advertisement') return undefined;
    const ids = new Map<string, string>();
    let capabilities = new Set<string>();
    for await (const line of readPackets(contentOf(response))) {
      const [head = '', words] = (line?.toString('utf8') ?? '').replace(/\n$/, '').split('\0');
      if (head === '' || head.startsWith('#') || head.startsWith('shallow ')) continue;
      if (words !== undefined) capabilities = new Set(words.trim().split(' '));
      const [id = '', name = ''] = head.split(' ');
      if (ID.test(id)) ids.set(name, id);
    }
    if (capabilities.has('object-format=sha256'))
      throw refused('Repositories with SHA-256 object ids are not read.');
    return { url: repositoryUrl(response.url || asked), ids, capabilities };
  });
}

/** The bytes of a pack with one commit and all that it holds, no history. Rejects with `archive_refused`. */
export async function fetchPack(
  { url, capabilities }: RemoteRefs,
  id: string,
  door: Door,
  signal: AbortSignal,
): Promise<Buffer> {
  if (!capabilities.has('side-band-64k') || !capabilities.has('shallow'))
    throw refused('The git server cannot send one commit alone.');
  const words = ['side-band-64k', 'ofs-delta', 'no-progress', AGENT];
  const asked = words.filter((word) => word === AGENT || capabilities.has(word)).join(' ');
  const body = Buffer.concat([
    packet(`want ${id} ${asked}\n`),
    packet('deepen 1\n'),
    FLUSH,
    packet('done\n'),
  ]);
  return throughDoor(url, signal, async (transfer) => {
    const response = await door.fetch(
      withPath(url, '/git-upload-pack'),
      {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/x-git-upload-pack-request',
          accept: 'application/x-git-upload-pack-result',
        },
        signal: transfer,
      },
      // every packet has five bytes beside its content
      transferLimits(Math.ceil(IMPORT_LIMITS.archiveBytes * 1.01)),
    );
    expectOk(response, url);
    return collectPack(contentOf(response));
  });
}

async function collectPack(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  let started = false;
  for await (const line of readPackets(body)) {
    if (line === undefined || line.length === 0) continue;
    const text = started ? '' : line.toString('utf8', 0, 200).trimEnd();
    if (text.startsWith('ERR ')) throw serverSays(text.slice(4));
    // what stands before the pack: which commits have no history, and that nothing is common
    if (!started && /^(?:(?:un)?shallow [0-9a-f]{40}|NAK|ACK [0-9a-f]{40}.*)$/.test(text)) continue;
    started = true;
    const [band] = line;
    if (band === 3) throw serverSays(line.toString('utf8', 1, 300));
    if (band === 2) continue;
    if (band !== 1) throw refused('The git server does not keep to its protocol.');
    size += line.length - 1;
    if (size > IMPORT_LIMITS.archiveBytes)
      throw refused(`The repository is larger than ${IMPORT_LIMITS.archiveBytes} bytes.`);
    // a packet is a view of a larger piece: a copy lets that go
    pieces.push(Buffer.from(line.subarray(1)));
  }
  return Buffer.concat(pieces, size);
}

function serverSays(text: string) {
  return addressRefused(`The git server refuses: ${shown(text.trim())}`);
}

/** The same address, with something after its path; a query stays out, since repositories have none. */
function withPath(url: string, more: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/$/, '')}${more}`;
}

function repositoryUrl(answered: string): string {
  const { origin, pathname } = new URL(answered);
  if (pathname.endsWith('/info/refs')) return `${origin}${pathname.slice(0, -'/info/refs'.length)}`;
  throw addressRefused(`${shownUrl(answered)} is no address of a git repository.`);
}
