import { describe, expect, it } from 'vitest';
import { bubblewrapArguments, isolationInForce, isolationText } from '../../src/sandbox/index.ts';
import { isolatedStart, readIsolatedStatus } from '../../src/sandbox/isolated-program.ts';

const isolation = {
  available: true,
  program: '/usr/bin/bwrap',
  version: 'bubblewrap 0.8.0',
  limitsTmp: true,
} as const;
const command = {
  program: '/usr/bin/python3',
  target: '/usr/bin/python3.13',
  args: ['-x', '--bind'],
  env: { TOKEN: 'a-secret', PATH: '/usr/bin' },
  cwd: '/srv/package',
  network: false,
  read: ['/opt/python'],
  write: [],
};
const settingsOf = (start: { settings: Buffer }) => start.settings.toString().split('\0').slice(0, -1);

describe('the start of an isolated program', () => {
  it('shows the program and its arguments, and no variable', () => {
    const { file, args } = isolatedStart(command, isolation);
    expect(file).toBe('/usr/bin/bwrap');
    expect(args).toEqual(['--args', '3', '--', '/usr/bin/python3', '-x', '--bind']);
  });

  it('is told everything else through a pipe', () => {
    const settings = settingsOf(isolatedStart(command, isolation));
    const text = settings.join(' ');
    expect(text).toContain('--setenv TOKEN a-secret');
    expect(text).toContain('--unshare-all --die-with-parent');
    expect(text).toContain('--ro-bind /srv/package /srv/package');
    expect(text).toContain('--ro-bind /opt/python /opt/python');
    expect(text).toMatch(/--size \d+ --tmpfs \/tmp/);
    expect(settings).not.toContain('--share-net');
    expect(settings).not.toContain('--');
  });

  it('binds no program a second time over the link that it is in its folder', () => {
    const program = '/opt/python/bin/python3';
    const text = settingsOf(isolatedStart({ ...command, program }, isolation)).join(' ');
    expect(text).toContain('--ro-bind /opt/python /opt/python');
    expect(text).not.toContain(`--ro-bind ${program}`);
  });

  it('has a network where it is allowed, and no size where bwrap knows none', () => {
    const settings = settingsOf(
      isolatedStart({ ...command, network: true }, { ...isolation, limitsTmp: false }),
    );
    expect(settings).toContain('--share-net');
    expect(settings).not.toContain('--size');
  });

  it.each([
    ['a variable', { env: { A: 'x\0--bind\0/\0/' } }],
    ['a folder', { cwd: '/srv/a\0b' }],
    ['a folder that is not plain', { cwd: '/srv/../etc' }],
    ['a folder to read', { read: ['etc'] }],
  ])('is refused for %s that would say something else', (_what, change) => {
    expect(() => isolatedStart({ ...command, ...change }, isolation)).toThrow(
      expect.objectContaining({ code: 'configuration_invalid' }),
    );
  });

  it('is the same profile as that of upstream servers', () => {
    const { args, env, network, read, write, ...rest } = command;
    const whole = bubblewrapArguments({ ...rest, args, variables: env, isolation: { network, read, write } });
    expect(whole.slice(whole.indexOf('--'))).toEqual(['--', '/usr/bin/python3', '-x', '--bind']);
  });
});

describe('what bwrap says about itself', () => {
  it('tells whether the program ran', () => {
    const first = '{ "child-pid": 4711, "pid-namespace": 4026532181 }\n';
    expect(readIsolatedStatus('')).toEqual({ init: undefined, hasRun: false });
    expect(readIsolatedStatus(first)).toEqual({ init: 4711, hasRun: false });
    expect(readIsolatedStatus(`${first}{ "exit-code": 0 }\n`)).toEqual({ init: 4711, hasRun: true });
  });
});

describe('the isolation in force', () => {
  it('is found out once, and said in words', async () => {
    const status = await isolationInForce();
    expect(await isolationInForce()).toBe(status);
    expect(isolationText(status)).toMatch(status.available ? /^bubblewrap/ : /bubblewrap|bwrap/);
  });
});
