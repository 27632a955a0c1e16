import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';

/** A real n8n on loopback, with an owner and a key of its public API. */
export interface Instance {
  readonly url: string;
  readonly version: string;
  readonly apiKey: string;
  /** The public API; throws with what it answered when that is no success. */
  api(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

/** One that its registry still has every part of; N8N_VERSION names another. */
const VERSION = process.env['N8N_VERSION'] ?? '2.41.1';
/** Milliseconds: its first start creates a database. */
const START_LIMIT = 240_000;

/**
 * Installs n8n below `N8N_CACHE` where it is not there yet: minutes, and 3 GB. Without that variable the folder is a
 * temporary one, which is removed by `stop`.
 */
export async function startInstance(note: (text: string) => void): Promise<Instance> {
  const cache = process.env['N8N_CACHE'];
  const folder = cache ?? (await mkdtemp(join(tmpdir(), 'toolcrib-n8n-')));
  await install(folder, note);
  const home = await mkdtemp(join(tmpdir(), 'toolcrib-n8n-home-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = launch(folder, home, port);
  const stop = async () => {
    await end(child);
    await rm(home, { recursive: true, force: true });
    if (cache === undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    const started = performance.now();
    await ready(url, child);
    note(`n8n ${VERSION} answers after ${Math.round((performance.now() - started) / 1000)} s`);
    const apiKey = await createKey(url);
    return { url, version: VERSION, apiKey, api: (...request) => callApi(url, apiKey, ...request), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function install(folder: string, note: (text: string) => void): Promise<void> {
  const bin = join(folder, 'node_modules/n8n/bin/n8n');
  if (existsSync(bin)) return;
  note(`Installing n8n ${VERSION} into ${folder}; this takes minutes and 3 GB.`);
  await mkdir(folder, { recursive: true });
  // One of its dependencies of dependencies is in no registry; this is a fork of the same library.
  const overrides = { cssomnom: 'npm:@acemir/cssom@0.10.1' };
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'n8n-real', private: true, overrides }),
  );
  // Of its native parts only SQLite is needed here; the others fetch sources from elsewhere to build.
  const install = ['install', `n8n@${VERSION}`, '--no-audit', '--no-fund', '--omit=dev', '--ignore-scripts'];
  await npm(folder, ...install);
  await npm(folder, 'rebuild', 'sqlite3');
}

async function npm(folder: string, ...words: readonly string[]): Promise<void> {
  const child = spawn('npm', [...words, '--loglevel=error'], {
    cwd: folder,
    // The headers to compile with are beside the Node that runs this.
    env: { ...process.env, npm_config_nodedir: join(process.execPath, '../..') },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`npm ${words[0]} ended with ${code}.`);
}

function launch(folder: string, home: string, port: number): ChildProcess {
  const quiet = {
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_PERSONALIZATION_ENABLED: 'false',
    N8N_HIRING_BANNER_ENABLED: 'false',
    N8N_LOG_LEVEL: process.env['N8N_LOG_LEVEL'] ?? 'error',
  };
  return spawn(process.execPath, [join(folder, 'node_modules/n8n/bin/n8n'), 'start'], {
    cwd: home,
    detached: true,
    env: {
      PATH: `${join(process.execPath, '..')}:${process.env['PATH']}`,
      HOME: home,
      N8N_USER_FOLDER: home,
      N8N_PORT: String(port),
      N8N_LISTEN_ADDRESS: '127.0.0.1',
      N8N_RUNNERS_BROKER_PORT: String(port + 1),
      N8N_HOST: '127.0.0.1',
      N8N_SECURE_COOKIE: 'false',
      N8N_ENCRYPTION_KEY: randomBytes(16).toString('hex'),
      DB_TYPE: 'sqlite',
      ...quiet,
    },
    stdio: process.env['N8N_LOG_LEVEL'] === undefined ? 'ignore' : 'inherit',
  });
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  const until = performance.now() + START_LIMIT;
  while (performance.now() < until) {
    if (child.exitCode !== null)
      throw new Error(`n8n ended with ${child.exitCode}; N8N_LOG_LEVEL=info shows why.`);
    const answer = await fetch(`${url}/healthz/readiness`).catch(() => undefined);
    if (answer?.status === 200 && (await fetch(`${url}/rest/settings`)).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`n8n did not answer within ${START_LIMIT} ms.`);
}

/** The owner by the route of the set-up page, then a key as the settings page makes one. */
async function createKey(url: string): Promise<string> {
  const password = `A1${randomBytes(12).toString('hex')}`;
  const post = async (path: string, body: unknown, cookie = '') => {
    const headers = { 'content-type': 'application/json', cookie, 'browser-id': 'toolcrib' };
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const owner = { email: 'owner@example.com', firstName: 'Test', lastName: 'Owner', password };
  const setUp = await post('/rest/owner/setup', owner);
  const cookie = setUp.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ');
  const scopes = ['workflow', 'credential'].flatMap((kind) =>
    ['create', 'read', 'update', 'delete', 'list', 'activate', 'deactivate'].map((verb) => `${kind}:${verb}`),
  );
  const known = await fetch(`${url}/rest/api-keys/scopes`, { headers: { cookie, 'browser-id': 'toolcrib' } });
  const { data: offered = scopes } = (await known.json()) as { data?: readonly string[] };
  const wanted = scopes.filter((scope) => offered.includes(scope));
  const made = await post('/rest/api-keys', { label: 'toolcrib', scopes: wanted, expiresAt: null }, cookie);
  return ((await made.json()) as { data: { rawApiKey: string } }).data.rawApiKey;
}

async function callApi(
  url: string,
  apiKey: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { 'X-N8N-API-KEY': apiKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** It starts processes of its own, which end with its group. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGTERM');
  const hard = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), 15_000);
  await ended;
  clearTimeout(hard);
}
