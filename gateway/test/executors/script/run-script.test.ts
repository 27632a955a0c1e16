import { execFile } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runScript } from '../../../src/executors/script/run-script.ts';
import type { ScriptOutcome, ScriptRun } from '../../../src/executors/script/script-run.ts';
import { withoutDescriptors } from '../../without-descriptors.ts';
import { canIsolate, has, isolations, type Package, packageOf, shell } from './support.ts';

let files: Package;
beforeAll(async () => {
  files = await packageOf({ 'data.txt': 'of the package', plain: 'no program' });
});
afterAll(() => files.remove());

describe.each(isolations)('a script, %s', (_name, isolation) => {
  const run = (script: string, more = {}) =>
    runScript(shell(script, { cwd: files.folder, isolation, ...more }));

  it('answers with JSON on stdout, and keeps stderr apart', async () => {
    const outcome = await run(`echo '{"ok":true,"data":[1]}'; echo note >&2`);
    expect(outcome).toMatchObject({
      class: 'ok',
      exitCode: 0,
      json: { ok: true, data: [1] },
      stderr: 'note\n',
    });
    expect(outcome.stdoutCut).toBe(false);
  });

  it('reads its input to the end, and its package', async () => {
    const outcome = await run('cat - data.txt', { stdin: '{"a":1}\n' });
    expect(outcome.stdout).toBe('{"a":1}\nof the package');
    expect(outcome.json).toBeUndefined();
  });

  it('finds an empty input where it is given none', async () => {
    expect(await run('wc -c')).toMatchObject({ class: 'ok', json: 0 });
  });

  it('gets each argument as it is', async () => {
    const args = ['-c', 'for a in "$@"; do echo "[$a]"; done', 'sh', '$HOME; rm -rf /', 'a b', '', '*', '-x'];
    const { stdout } = await run('', { args });
    expect(stdout).toBe('[$HOME; rm -rf /]\n[a b]\n[]\n[*]\n[-x]\n');
  });

  it('has the variables of an allow list, its own, and a home to write to', async () => {
    vi.stubEnv('CANARY_OF_THE_PARENT', 'seen');
    const { stdout } = await run('echo x > "$HOME/f" && echo x > "$TMPDIR/g" && env', {
      env: { GIVEN: "a'b\n" },
    });
    vi.unstubAllEnvs();
    const names = [...stdout.matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
    const allowed = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'HOME', 'TMPDIR', 'GIVEN', 'TOOLCRIB_MARK'];
    const shells = ['PWD', 'OLDPWD', 'SHLVL', '_', 'PYTHONDONTWRITEBYTECODE'];
    expect(names.filter((name) => ![...allowed, ...shells].includes(name))).toEqual([]);
    expect(stdout).toContain("GIVEN=a'b");
    expect(stdout).not.toContain('seen');
    const home = /^HOME=(.*)$/m.exec(stdout)![1]!;
    expect(home).not.toBe(process.env['HOME']);
    await expect.poll(() => existsSync(home)).toBe(false);
  });

  it.each([
    ['exit 7', { class: 'exit_nonzero', exitCode: 7 }],
    [`echo '{"ok":false}'; exit 1`, { class: 'exit_nonzero', exitCode: 1, json: { ok: false } }],
  ])('tells how it ended: %s', async (script, expected) => {
    expect(await run(script)).toMatchObject(expected);
  });

  it('is cut off and ended when it writes more than it may', async () => {
    const outcome = await run('while :; do echo 123456789; done', { maxOutputBytes: 5_000 });
    expect(outcome).toMatchObject({ class: 'output_limit', stdoutCut: true });
    expect(outcome.stdout).toHaveLength(5_000);
    expect(outcome.json).toBeUndefined();
  });

  it('may complain at length: what is too much of it is dropped', async () => {
    const script = `i=0; while [ $i -lt 2000 ]; do echo 123456789 >&2; i=$((i+1)); done; echo '{"ok":true}'`;
    const outcome = await run(script, { maxOutputBytes: 5_000 });
    expect(outcome).toMatchObject({ class: 'ok', json: { ok: true }, stderrCut: true });
    expect(outcome.stderr).toHaveLength(5_000);
  });

  it('is ended at its deadline, by force where it does not listen', async () => {
    const outcome = await run(`trap '' TERM; while :; do sleep 0.05; done`, { timeoutMs: 150 });
    expect(outcome).toMatchObject({ class: 'timeout' });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(149);
  });

  it('is asked to end first, so that it can tidy up; what it said so far is no answer', async () => {
    const caller = new AbortController();
    const script = `trap 'echo "{}"; exit 0' TERM; echo up >&2; while :; do :; done`;
    const outcome = await run(script, { signal: caller.signal, onLine: () => caller.abort() });
    expect(outcome).toMatchObject({ class: 'cancelled', stdout: '{}\n' });
    expect(outcome.json).toBeUndefined();
  });

  it('ends with its caller', async () => {
    const caller = new AbortController();
    const outcome = run('echo begun >&2; sleep 60', { signal: caller.signal, onLine: () => caller.abort() });
    expect(await outcome).toMatchObject({ class: 'cancelled', stderr: 'begun\n' });
    expect(await run('echo never', { signal: caller.signal })).toMatchObject({
      class: 'cancelled',
      stdout: '',
    });
  });

  it.each<[string, Partial<ScriptRun>]>([
    ['a name that nothing has', { program: 'no-such-program-4711' }],
    ['a path that nothing has', { program: '/no/such/program' }],
    ['no program', { program: 'PACKAGE/plain' }],
    ['a folder that is not there', { cwd: '/no/such/folder' }],
    ['a NUL in an argument', { args: ['-c', 'true', 'a\0--bind'] }],
    ['a NUL in a variable', { env: { A: 'b\0--bind\0/\0/' } }],
    ['a variable without a name', { env: { 'A=B': 'c' } }],
  ])('is said not to have started: %s', async (_what, more) => {
    const program = (more.program ?? 'sh').replace('PACKAGE', files.folder);
    const outcome = await run('true', { ...more, program });
    expect(outcome).toMatchObject({ class: 'spawn_failed', problem: expect.any(String) });
    expect(outcome.problem).not.toMatch(/--bind|bwrap/);
  });

  it('tells its lines of stderr while it runs', async () => {
    const lines: string[] = [];
    await run(`printf 'one\\ntwo\\033[31m\\n\\nthree' >&2`, { onLine: (line: string) => lines.push(line) });
    expect(lines).toEqual(['one', 'two', 'three']);
  });

  it('keeps what is concealed out of texts, lines and JSON', async () => {
    const lines: string[] = [];
    const outcome = await run(`echo '{"key":"s3cret"}'; echo s3cret >&2`, {
      conceal: (text: string) => text.replaceAll('s3cret', '***'),
      onLine: (line: string) => lines.push(line),
    });
    expect(outcome).toMatchObject({ json: { key: '***' }, stderr: '***\n' });
    expect(lines).toEqual(['***']);
  });
});

describe('without isolation', () => {
  it('a script that a signal ends is said to be killed', async () => {
    expect(await runScript(shell('kill -9 $$'))).toMatchObject({ class: 'killed', signal: 'SIGKILL' });
  });

  it('what a child still has to say when the script ends is not lost', async () => {
    const { stdout } = await runScript(shell('echo late & echo early'));
    expect(stdout.trim().split('\n').sort()).toEqual(['early', 'late']);
  });
});

describe.skipIf(process.platform !== 'linux' || !(await has('setsid')))('two scripts of one package', () => {
  it('do not end what the other has begun', async () => {
    const flags = await packageOf({});
    const set = (name: string) => void writeFileSync(join(flags.folder, name), '');
    const until = (name: string) => `while [ ! -e ${join(flags.folder, name)} ]; do sleep 0.02; done`;
    const begin = (script: string, onLine: () => void) =>
      runScript(shell(script, { cwd: files.folder, onLine }));
    const child = `echo up >&2; ${until('go-on')}; echo survived; : > ${join(flags.folder, 'said')}`;
    const hidden = `(env -i PATH="$PATH" setsid sh -c '${child}' &); ${until('said')}`;
    const second = Promise.withResolvers<ScriptOutcome>();
    const first = begin(`echo up >&2; ${until('end-first')}`, () =>
      second.resolve(begin(hidden, () => set('end-first'))),
    );
    expect(await first).toMatchObject({ class: 'ok' });
    set('go-on');
    expect(await second.promise).toMatchObject({ class: 'ok', stdout: 'survived\n' });
    await flags.remove();
  });
});

it.skipIf(process.platform !== 'linux' || !(await has('python3')))(
  'daemons that move on to a new process faster than anybody looks are ended by their groups',
  async () => {
    const flags = await packageOf({});
    const beat = join(flags.folder, 'beat');
    // they give up by themselves in the end, should nobody else
    const script = `
import os, time
until = time.time() + 30
for _ in range(4):
  if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
      os.chdir('/')
      for one in (0, 1, 2): os.close(one)
      while time.time() < until:
        time.sleep(0.001)
        open('${beat}', 'a').write('x')
        if os.fork(): os._exit(0)
    os._exit(0)
time.sleep(0.1)
print('{"ok":true}', flush=True)`;
    const outcome = await runScript(shell('exec python3 -c "$CODE"', { env: { CODE: script } }));
    expect(outcome.json).toEqual({ ok: true });
    const beats = () => statSync(beat).size;
    expect(beats()).toBeGreaterThan(0);
    // whoever called is not kept waiting: on a busy machine the hunt goes on behind the answer
    const isStill = async () => {
      const before = beats();
      await pause(300);
      return beats() === before;
    };
    await expect.poll(isStill, { timeout: 15_000 }).toBe(true);
    await flags.remove();
  },
);

it('a script that finds no free file descriptor is not started', async () => {
  const room = new URL('../../../src/executors/script/index.ts', import.meta.url);
  const printed = await withoutDescriptors(
    room,
    `const run = { program: '/bin/sh', args: [], cwd: '/', env: {}, timeoutMs: 60000, maxOutputBytes: 1000,
       signal: new AbortController().signal, isolation: 'none' };
     console.log(JSON.stringify(await room.runScript(run)));`,
  );
  expect(JSON.parse(printed)).toMatchObject({
    class: 'spawn_failed',
    problem: 'it cannot be started: too many open files',
  });
});

it('a script does not outlive the gateway', async () => {
  const module = new URL('../../../src/executors/script/index.ts', import.meta.url).href;
  const gateway = `import { runScript } from ${JSON.stringify(module)};
    await runScript({ program: 'sh', args: ['-c', 'echo $$ $HOME >&2; : > $HOME/f; sleep 60'], cwd: '/', env: {}, timeoutMs: 60000,
      maxOutputBytes: 1000, signal: new AbortController().signal, isolation: 'none',
      onLine: (line) => { process.stdout.write(line, () => process.exit(0)); } });`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', gateway]);
  const [pid, home] = stdout.split(' ');
  const isThere = () => {
    try {
      return process.kill(Number(pid), 0);
    } catch {
      return false;
    }
  };
  expect(Number(pid)).toBeGreaterThan(1);
  await expect.poll(isThere).toBe(false);
  expect(existsSync(home!)).toBe(false);
});

describe.skipIf(!canIsolate)('in isolation', () => {
  const isolation = { network: false, read: [], write: [] };
  const run = (script: string, more = {}) =>
    runScript(shell(script, { cwd: files.folder, isolation, ...more }));

  it('nothing of the environment can be read from the first process, and nothing of a variable from outside', async () => {
    const { stdout } = await run('wc -c < /proc/1/environ; tr "\\0" " " < /proc/1/cmdline', {
      env: { KEY: 'a-secret' },
    });
    expect(stdout).toMatch(/^0\n/);
    expect(stdout).not.toContain('a-secret');
  });

  it('the package cannot be changed, and nothing beside it seen', async () => {
    const other = await packageOf({ 'data.txt': 'of another' });
    const { stdout } = await run(
      `touch data.txt new 2>&1; cat ${other.folder}/data.txt 2>&1; ls -a ..; ls /root /home`,
    );
    await other.remove();
    expect(stdout.match(/Read-only/g)).toHaveLength(2);
    expect(stdout).toMatch(/No such file/);
    expect(stdout).not.toContain('of another');
    expect(stdout).toContain(basename(files.folder));
    expect(stdout).not.toMatch(new RegExp(`^${basename(other.folder)}$`, 'm'));
  });

  it('what bwrap says in the name of a script is not believed', async () => {
    expect(await run('echo "bwrap: execvp: No such file" >&2; exit 1')).toMatchObject({
      class: 'exit_nonzero',
    });
  });
});
