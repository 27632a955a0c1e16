import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';

/** Some systems have the server in a package of its own. In CI it is there, or the tests fail. */
export const hasGit =
  process.env['TOOLCRIB_REQUIRE_SANDBOX'] === '1' ||
  spawnSync('git', ['http-backend'], { encoding: 'utf8', input: '' }).stdout?.includes('Status:') === true;

/** Nothing of the configuration of whoever runs the tests counts. */
const ENV = {
  PATH: process.env['PATH'] ?? '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: folder,
    env: ENV,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

/** Files by path: content, `*` behind the name of a program, `@` behind that of a link. */
export function commit(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name.replace(/[*@]$/, ''));
    mkdirSync(dirname(file), { recursive: true });
    if (name.endsWith('@')) symlinkSync(content, file);
    else writeFileSync(file, content);
    if (name.endsWith('*')) chmodSync(file, 0o755);
  }
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'more');
  return git(folder, 'rev-parse', 'HEAD');
}

/** The server that comes with git, below `folder`: smart HTTP as hosts of repositories speak it. */
export async function serveGit(folder: string) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url!, 'http://host');
    requests.push(`${request.method} ${pathname}${search}`);
    const backend = spawn('git', ['http-backend'], {
      env: {
        ...ENV,
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        REQUEST_METHOD: request.method!,
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        CONTENT_LENGTH: request.headers['content-length'] ?? '',
        REMOTE_ADDR: '127.0.0.1',
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    backend.stdin.on('error', () => undefined);
    request.pipe(backend.stdin);
    const pieces: Buffer[] = [];
    backend.stdout.on('data', (piece) => pieces.push(piece));
    backend.on('close', () => {
      const said = Buffer.concat(pieces);
      const end = said.indexOf('\r\n\r\n');
      const headers = said
        .toString('latin1', 0, end)
        .split('\r\n')
        .map((line) => line.split(': ') as [string, string]);
      const status = Number.parseInt(headers.find(([name]) => name === 'Status')?.[1] ?? '200', 10);
      response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
      response.end(said.subarray(end + 4));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
