import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignInCodes } from '../../src/server/http/sessions/index.ts';
import { temporaryHome } from './command-run.ts';

const crib = temporaryHome();
let listening: Server;
let port: number;
let isGateway = true;
/** What it answers to whether the link is one of its own; undefined: it knows no such question. */
let waits: boolean | undefined = true;
let asked: string | undefined;

beforeAll(async () => {
  listening = createServer(({ url }, response) => {
    const [, id] = /^\/api\/v1\/session\/links\/([0-9a-f]{64})$/.exec(url ?? '') ?? [];
    if (isGateway && id !== undefined) asked = id;
    const answer = url === '/readyz' ? { catalog: 'c1' } : id && waits !== undefined ? { waits } : undefined;
    response.end(isGateway && answer ? JSON.stringify(answer) : '');
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  ({ port } = listening.address() as AddressInfo);
  await mkdir(crib.path('state'), { recursive: true });
  await writeFile(
    crib.path('toolcrib.yaml'),
    `stateDirectory: ./crib\nserver: { port: ${port} }\nsources: {}\n`,
  );
});
afterAll(() => new Promise((resolve) => listening.close(resolve)));

const codes = () => createSignInCodes(crib.path('crib'));
const LINK = /^(http:\/\/127\.0\.0\.1:\d+)\/sign-in#code=([A-Za-z0-9_-]{43})\n$/;

describe('toolcrib console', () => {
  it('prints a link whose code signs in once', async () => {
    const { exit, out, err } = await crib.run(['console', '--print']);
    const [, address, code = ''] = LINK.exec(out) ?? [];
    expect([exit, address]).toEqual([0, `http://127.0.0.1:${port}`]);
    expect(err).toContain('Show it to nobody');
    expect(err).not.toContain(code);
    expect([await codes().use(code), await codes().use(code)]).toEqual([true, false]);
  });

  it('warns of another program at the address, and opens no browser there', async () => {
    isGateway = false;
    const { exit, err } = await crib.run(['console']);
    isGateway = true;
    expect([exit, err]).toEqual([
      0,
      expect.stringContaining(`What listens at http://127.0.0.1:${port} is no gateway of Toolcrib`),
    ]);
    expect((await crib.run(['console'])).err).not.toContain('is no gateway');
  });

  it('makes no link that the gateway at the address does not know, whose state lies elsewhere', async () => {
    waits = false;
    const refused = await crib.run(['console', '--print']);
    const json = await crib.run(['console', '--json']);
    waits = true;
    for (const { exit, out } of [refused, json]) expect([exit, out]).toEqual([64, '']);
    expect(refused.err).toContain(`The gateway at http://127.0.0.1:${port} keeps its state elsewhere`);
    expect(refused.err).toContain(crib.path('crib'));
    expect(refused.err).toContain('--state-dir');
    // nothing of it is left
    expect(await readdir(crib.path('crib', 'sign-in-codes'))).not.toContain(asked);
  });

  it('asks by what is kept of the code alone, and takes a gateway that does not answer that as its own', async () => {
    const { out } = await crib.run(['console', '--print']);
    const [, , code = ''] = LINK.exec(out) ?? [];
    expect(asked).toBe(createHash('sha256').update(code).digest('hex'));
    waits = undefined;
    const older = await crib.run(['console', '--print']);
    waits = true;
    expect([older.exit, LINK.test(older.out)]).toEqual([0, true]);
  });

  it('says so where no gateway listens yet', async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const closed = (free.address() as AddressInfo).port;
    await new Promise((resolve) => free.close(resolve));
    const { exit, out, err } = await crib.run(['console', '--port', String(closed)]);
    expect([exit, LINK.exec(out)?.[1]]).toEqual([0, `http://127.0.0.1:${closed}`]);
    expect(err).toContain(`Nothing listens at http://127.0.0.1:${closed}`);
  });

  it('takes the address at which people reach the gateway', async () => {
    const { out } = await crib.run(['console', '--json', '--url', 'https://tools.example.com/somewhere']);
    expect(JSON.parse(out).url).toMatch(/^https:\/\/tools\.example\.com\/sign-in#code=/);
    await writeFile(
      crib.path('public.yaml'),
      'server: { publicUrl: "https://crib.example.com" }\nsources: {}\n',
    );
    const known = await crib.run(['console', '--json', '-c', crib.path('public.yaml')]);
    expect(JSON.parse(known.out).url).toMatch(/^https:\/\/crib\.example\.com\/sign-in#code=/);
    const wrong = await crib.run(['console', '--url', 'ftp://tools.example.com']);
    expect([wrong.exit, wrong.out]).toEqual([64, '']);
  });

  it('makes no link to a console that is switched off', async () => {
    await writeFile(crib.path('off.yaml'), 'server: { console: false }\nsources: {}\n');
    const { exit, out, err } = await crib.run(['console', '-c', crib.path('off.yaml')]);
    expect([exit, out, err]).toEqual([78, '', expect.stringContaining('#/server/console')]);
  });
});
