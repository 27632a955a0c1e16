import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProcessCommand } from '../../../src/sandbox/index.ts';
import { bubblewrapArguments, isolationStatus } from '../../../src/sandbox/index.ts';
import { wrapCommand } from '../../../src/upstreams/stdio/wrap-command.ts';
import type { Isolation, UpstreamDefinition } from '../../../src/upstreams/upstreams.ts';

const status = await isolationStatus();
if (!status.available) console.info(`Skipped, isolation: ${status.reason}.`);

function definition(isolation: Partial<Isolation> = {}): UpstreamDefinition {
  return {
    name: 'files',
    transport: {
      kind: 'stdio',
      command: 'sh',
      args: [],
      env: {},
      inherit: [],
      isolation: { mode: 'bubblewrap', network: true, read: [], write: [], ...isolation },
    },
    era: 'auto',
    share: 'one',
    startTimeoutMs: 5_000,
    idleMs: 0,
    hangMs: 5_000,
    restart: true,
  };
}

const PATH = '/usr/local/bin:/usr/bin:/bin';

it('starts nothing where it cannot be isolated, and says why', async () => {
  const without = async () => ({ available: false, reason: 'there is no bwrap' }) as const;
  const command = { command: 'sh', args: [], env: { PATH: '/usr/bin:/bin' } };
  await expect(wrapCommand(definition(), command, without)).rejects.toMatchObject({
    code: 'isolation_unavailable',
    message: 'The server "files" is not started without its isolation: there is no bwrap.',
  });
  expect(await wrapCommand(definition({ mode: 'none' }), command, without)).toBe(command);
});

describe('what is handed to bwrap', () => {
  const available = async () => ({ available: true, program: '/usr/bin/bwrap' }) as const;
  let folder = '';
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'toolcrib-wrapped-')));
    await writeFile(join(folder, 'server'), '#!/bin/sh\n', { mode: 0o755 });
    await symlink('server', join(folder, 'linked'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const wrapped = (command: Partial<ProcessCommand>, isolation: Partial<Isolation> = {}) =>
    wrapCommand(
      definition(isolation),
      { command: 'server', args: [], env: { PATH: folder }, ...command },
      available,
    );
  /** Every `--setenv NAME VALUE`. */
  const settingsOf = ({ args }: ProcessCommand) =>
    Object.fromEntries(args.flatMap((arg, at) => (arg === '--setenv' ? [[args[at + 1], args[at + 2]]] : [])));

  it.each([
    'LD_PRELOAD',
    'LD_AUDIT',
    'GCONV_PATH',
    'GLIBC_TUNABLES',
    'LOCPATH',
    'NLSPATH',
    'HOSTALIASES',
    'RESOLV_ADD_TRIM_DOMAINS',
    'MALLOC_TRACE',
  ])('reads no %s of the server itself', async (name) => {
    const command = await wrapped({ env: { PATH: folder, [name]: 'value' } });
    expect(command.env).toEqual({ PATH: folder });
    expect(settingsOf(command)).toMatchObject({ [name]: 'value' });
  });

  it('is every other variable, but for where we are', async () => {
    const env = { PATH: folder, OLD_ID: 'x', MY_LOCPATH: 'y', PWD: '/here' };
    const command = await wrapped({ env });
    expect(command.env).toEqual({ PATH: folder, OLD_ID: 'x', MY_LOCPATH: 'y' });
    expect(settingsOf(command)).toEqual({ HOME: '/tmp/home', TMPDIR: '/tmp' });
    expect(command.cwd).toBe('/');
  });

  it('is the home of the server where that can be reached, else one of its own', async () => {
    const env = { PATH: folder, HOME: join(folder, 'home') };
    for (const isolation of [{ read: [folder] }, { write: [folder] }])
      expect(settingsOf(await wrapped({ env }, isolation))).toEqual({ TMPDIR: '/tmp' });
    expect(settingsOf(await wrapped({ env }))).toMatchObject({ HOME: '/tmp/home' });
  });

  it('is the program of its own PATH and folder, with what a link leads to', async () => {
    const command = await wrapped({ command: './linked', cwd: folder, env: {} });
    expect(command.args).toContain(join(folder, 'linked'));
    expect(command.args).toContain(join(folder, 'server'));
    await expect(wrapped({ env: { PATH: '/nowhere' }, command: 'sh' })).rejects.toMatchObject({
      code: 'upstream_unavailable',
    });
  });
});

describe('the isolation of a stdio server', () => {
  it('is none where the definition wants none', async () => {
    const command = { command: 'sh', args: ['-c', 'true'], env: {} };
    expect(await wrapCommand(definition({ mode: 'none' }), command)).toBe(command);
  });

  it.each([['relative'], ['/a/../b'], ['/a\0b'], ['/'], ['/proc'], ['/tmp/']])(
    'takes no path such as %j',
    (path) => {
      const isolation: Isolation = { mode: 'bubblewrap', network: false, read: [path], write: [] };
      const command = {
        program: '/bin/sh',
        target: '/bin/sh',
        args: [],
        variables: {},
        cwd: undefined,
        isolation,
      };
      expect(() => bubblewrapArguments(command)).toThrow(
        expect.objectContaining({ code: 'configuration_invalid' }),
      );
    },
  );

  it('is never left out silently: without bwrap the status says why', async () => {
    expect(await isolationStatus('/nowhere')).toEqual({
      available: false,
      reason: expect.stringContaining('bubblewrap'),
    });
  });
});

describe.skipIf(!status.available)('inside', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolcrib-isolation-'));
    await writeFile(join(folder, 'secret'), 'words');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const run = async (
    script: string,
    isolation: Partial<Isolation> = {},
    env: Readonly<Record<string, string>> = {},
    cwd?: string,
  ): Promise<string> => {
    const command = { command: 'sh', args: ['-c', script], env: { PATH, ...env }, ...(cwd ? { cwd } : {}) };
    const wrapped = await wrapCommand(definition(isolation), command);
    const { stdout } = await promisify(execFile)(wrapped.command, [...wrapped.args], {
      env: wrapped.env,
      ...(wrapped.cwd ? { cwd: wrapped.cwd } : {}),
    });
    return stdout.trim();
  };

  it('there are the system, its own processes and a home of its own, not our files', async () => {
    expect(await run(`cat ${folder}/secret 2>&1 || true`)).toContain('No such file');
    expect(await run('ls /proc | grep -c "^[0-9]"').then(Number)).toBeLessThan(6);
    expect(await run('echo $HOME; pwd; touch $HOME/a && echo written')).toBe('/tmp/home\n/tmp/home\nwritten');
    expect(await run('ls /root /home /etc/shadow /var 2>&1 | grep -vc "No such file" || true')).toBe('0');
  });

  it('what was chosen can be read or written, and nothing else', async () => {
    expect(await run(`cat ${folder}/secret; touch ${folder}/x 2>&1 || true`, { read: [folder] })).toMatch(
      /^words[\s\S]*Read-only/,
    );
    await run(`echo new > ${folder}/written`, { write: [folder] });
    expect(await readFile(join(folder, 'written'), 'utf8')).toBe('new\n');
    expect(await run('touch /usr/x /x /etc/x 2>&1 | grep -c Read-only')).toBe('3');
  });

  it('the narrower choice holds, whichever list it stands in', async () => {
    const inner = join(folder, 'inner');
    await mkdir(inner);
    const script = `touch ${folder}/a 2>&1; touch ${inner}/b 2>&1; ls ${folder} ${inner} | grep -x "[ab]"; true`;
    expect(await run(script, { write: [folder], read: [inner] })).toMatch(/Read-only[^\n]*\na$/);
    await rm(join(folder, 'a'));
    expect(await run(script, { write: [inner], read: [folder] })).toMatch(/Read-only[^\n]*\nb$/);
  });

  it('the working folder is there, to read', async () => {
    expect(await run('pwd; cat secret; touch y 2>&1 || true', {}, {}, folder)).toMatch(
      new RegExp(`^${folder}\nwords[\\s\\S]*Read-only`),
    );
  });

  it('are exactly the variables given, in the environment of every process', async () => {
    const env = { TOKEN: 'given', HOME: '/root' };
    const names = await run('tr "\\0" "\\n" < /proc/1/environ | cut -d= -f1 | sort | tr "\\n" " "', {}, env);
    expect(names).toBe('HOME PATH TOKEN');
    expect(await run('echo $TOKEN; env | cut -d= -f1 | sort | tr "\\n" " "', {}, env)).toMatch(
      /^given\nHOME (?:OLDPWD )?PATH PWD TMPDIR TOKEN/,
    );
  });

  it('no secret stands in the arguments, which others can read', async () => {
    const command = {
      command: 'sh',
      args: ['-c', 'true'],
      env: { PATH, TOKEN: 'a-secret', LD_LIBRARY_PATH: '/opt/lib' },
    };
    const { args, env } = await wrapCommand(definition(), command);
    expect(args.join(' ')).not.toContain('a-secret');
    expect(env).toEqual({ PATH, TOKEN: 'a-secret' });
    expect(args.join(' ')).toContain('--setenv LD_LIBRARY_PATH /opt/lib');
  });

  it('the network is there only where it is allowed', async () => {
    const server = createServer((_, response) => response.end('reached')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const script = `fetch("http://127.0.0.1:${port}").then(r=>r.text(),()=>"no network").then(console.log)`;
    const node = async (network: boolean) => {
      const command = { command: process.execPath, args: ['-e', script], env: { PATH } };
      const wrapped = await wrapCommand(definition({ network }), command);
      return (
        await promisify(execFile)(wrapped.command, [...wrapped.args], { env: wrapped.env })
      ).stdout.trim();
    };
    expect(await node(true)).toBe('reached');
    expect(await node(false)).toBe('no network');
    server.close();
  });

  it('everything ends with what started it', async () => {
    // bwrap's init binds itself to its parent while the program may run already; when it waits, it has
    const waits = 'while read -r _ _ state _ </proc/1/stat && [ "$state" != S ]; do :; done';
    const script = `setsid sleep 987 & ${waits}; echo up; sleep 987`;
    const command = { command: 'sh', args: ['-c', script], env: { PATH } };
    const wrapped = await wrapCommand(definition(), command);
    const child = execFile(wrapped.command, [...wrapped.args], { env: wrapped.env });
    await new Promise((resolve) => child.stdout!.once('data', resolve));
    child.kill('SIGKILL');
    const left = () =>
      execFileSync('sh', ['-c', 'ps -eo args | grep -c "[s]leep 987" || true']).toString().trim();
    await expect.poll(left).toBe('0');
  });

  it('a program that is not there is said to be missing', async () => {
    const missing = wrapCommand(definition(), { command: 'no-such-program', args: [], env: { PATH } });
    await expect(missing).rejects.toMatchObject({ code: 'upstream_unavailable' });
  });
});
