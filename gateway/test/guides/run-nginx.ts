import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';

/** The nginx of this machine: `TOOLCRIB_TEST_NGINX`, else the one in the path. Undefined where there is none. */
export function nginxProgram(): string | undefined {
  const program = process.env['TOOLCRIB_TEST_NGINX'] ?? 'nginx';
  for (const [one, argument] of [
    [program, '-v'],
    ['openssl', 'version'],
  ] as const) {
    try {
      execFileSync(one, [argument], { stdio: 'ignore' });
    } catch {
      return undefined;
    }
  }
  return program;
}

export interface Nginx {
  /** `https://HOST:PORT`; the name leads to the loopback interface only for a client that is told so. */
  readonly port: number;
  /** PEM of the certificate that it shows. */
  readonly certificate: string;
  stop(): Promise<void>;
}

/** Runs nginx with a configuration for `http { }`, in a folder of its own, on a free loopback port. */
export async function startNginx(
  program: string,
  folder: string,
  host: string,
  configure: (at: { listen: string; certificate: string; key: string }) => string,
): Promise<Nginx> {
  mkdirSync(folder, { recursive: true });
  const [certificate, key] = [join(folder, 'server.pem'), join(folder, 'server.key')];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
    ...['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`, '-keyout', key, '-out', certificate],
  ]);
  const port = await freePort();
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const text = `daemon off; pid ${join(folder, 'pid')}; error_log stderr warn; events { }
http { access_log off; ${folders.join(' ')}
${configure({ listen: `127.0.0.1:${port}`, certificate, key })} }`;
  writeFileSync(join(folder, 'nginx.conf'), text);
  const child = spawn(program, ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let problems = '';
  child.stderr.on('data', (chunk) => {
    problems += String(chunk);
  });
  await listening(child, port, () => problems);
  return {
    port,
    certificate: readFileSync(certificate, 'utf8'),
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Resolves when the port answers; rejects with what the program said when it ended before. */
async function listening(child: ChildProcess, port: number, problems: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${problems()}`);
    const answered = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (answered) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
