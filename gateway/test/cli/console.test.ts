import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignInCodes } from '../../src/server/http/sessions/index.ts';
import { temporaryHome } from './command-run.ts';

const crib = temporaryHome();
let listening: Server;
let port: number;
let isGateway = true;

beforeAll(async () => {
  listening = createServer(({ url }, response) => {
    response.end(isGateway && url === '/readyz' ? JSON.stringify({ catalog: 'c1' }) : '');
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
