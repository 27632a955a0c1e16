import { expect, test } from 'vitest';
import { windowsCommand } from '../../src/upstreams/windows-command.ts';

const NPX = 'C:\\Program Files\\nodejs\\npx.cmd';
const env = { PATH: 'C:\\Program Files\\nodejs', COMSPEC: 'C:\\Windows\\system32\\cmd.exe' };
const started = (program: string | undefined, ...args: string[]) =>
  windowsCommand('files', { command: 'npx', args, env, cwd: 'C:\\work' }, async () => program);

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

test.each([
  ['a command', 'x" & calc & "', '"x"" & calc & """'],
  ['a variable', '%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
  ['JSON', '{"a":"b"}', '"{""a"":""b""}"'],
  ['backslashes before a quote', 'a\\\\"b', '"a\\\\\\\\""b"'],
  ['a backslash at the end', 'C:\\data\\', '"C:\\data\\\\"'],
  ['nothing', '', '""'],
])('%s in an argument stays within it', async (_, argument, written) => {
  expect(await wordsOf(argument)).toBe(written);
});

test('an argument with a line break is refused: cmd.exe would end there', async () => {
  await expect(started(NPX, 'a\nb')).rejects.toMatchObject({ code: 'upstream_unavailable' });
});

test.each([
  ['a program', 'C:\\tools\\npx.exe'],
  ['what is not there', undefined],
])('%s is started as it is', async (_, program) => {
  expect(await started(program, 'a\nb')).toMatchObject({ command: 'npx', args: ['a\nb'] });
});
