import { expect, test, vi } from 'vitest';
import { windowsCommand } from '../../src/sandbox/windows-command.ts';

const NPX = 'C:\\Program Files\\nodejs\\npx.cmd';
const env = { PATH: 'C:\\Program Files\\nodejs', COMSPEC: 'C:\\Windows\\system32\\cmd.exe' };
const started = (program: string | undefined, ...args: string[]) =>
  windowsCommand(
    { command: 'npx', args, env, cwd: 'C:\\work' },
    (message) => new TypeError(message),
    async () => program,
  );

/** The words that a batch file is given, behind its own name. */
const wordsOf = async (...args: string[]) => {
  const { args: words } = await started(NPX, ...args);
  return words.at(-1)!.slice(`""${NPX}" `.length, -1);
};

test('a batch file is started by cmd.exe, with its arguments in quotes', async () => {
  expect(await started(NPX, '-y', '@scope/server', '.\\my data')).toEqual({
    command: env.COMSPEC,
    args: ['/e:on', '/v:off', '/d', '/s', '/c', `""${NPX}" "-y" "@scope/server" ".\\my data""`],
    env,
    cwd: 'C:\\work',
    verbatim: true,
  });
});

test.each(['C:\\tools\\npx.CMD', 'C:\\tools\\npx.bat', 'C:\\tools\\npx.Bat'])(
  '%s is a batch file, too',
  async (program) => {
    expect(await started(program)).toMatchObject({ command: env.COMSPEC, verbatim: true });
  },
);

test.each([
  ['a command', 'x" & calc & "', '"x"" & calc & """'],
  ['a variable', '%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
  ['JSON', '{"a":"b"}', '"{""a"":""b""}"'],
  ['backslashes before a quote', 'a\\\\"b', '"a\\\\\\\\""b"'],
  ['a backslash at the end', 'C:\\data\\', '"C:\\data\\\\"'],
  ['backslashes at the end', 'C:\\data\\\\', '"C:\\data\\\\\\\\"'],
  ['nothing', '', '""'],
])('%s in an argument stays within it', async (_, argument, written) => {
  expect(await wordsOf(argument)).toBe(written);
});

test.each(['a\nb', 'a\rb'])(
  'an argument with a line break is refused (%j): cmd.exe would end there',
  async (text) => {
    await expect(started(NPX, text)).rejects.toThrow(
      /^C:.*npx\.cmd is a batch file, and an argument has a line break\.$/,
    );
  },
);

test('the start of a program names it whole: Windows would look in the working folder first', async () => {
  const program = 'C:\\tools\\npx.exe';
  expect(await started(program, 'a\nb')).toEqual({ command: program, args: ['a\nb'], env, cwd: 'C:\\work' });
});

test('what is not there is started as it is: the start says so', async () => {
  expect(await started(undefined)).toMatchObject({ command: 'npx' });
});

test('the PATH and the shell are known by any case', async () => {
  const find = vi.fn(async () => NPX);
  const spelled = { Path: 'C:\\here', ComSpec: 'C:\\cmd.exe' };
  const { command } = await windowsCommand(
    { command: 'npx', args: [], env: spelled, cwd: 'C:\\' },
    TypeError,
    find,
  );
  expect(find).toHaveBeenCalledExactlyOnceWith('npx', 'C:\\here', 'C:\\');
  expect(command).toBe('C:\\cmd.exe');
});
