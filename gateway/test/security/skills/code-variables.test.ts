import { expect, test } from 'vitest';
import { compileManifest } from '../../sources/skill/package.ts';

const compiled = (name: string, value: string) =>
  compileManifest(
    `tools: [{ name: runs, entry: scripts/run.sh, env: { ${name}: ${JSON.stringify(value)} } }]\n`,
  );

test.each([
  ...['PATH', 'IFS', 'ENV', 'BASH_ENV', 'PS4', 'NODE_OPTIONS', 'NODE_PATH', 'PYTHONPATH', 'PYTHONHOME'],
  ...['PERL5OPT', 'RUBYOPT', 'GIT_SSH_COMMAND', 'GIT_EXEC_PATH', 'GCONV_PATH'],
])('no argument of a call says through %s which code is run', async (name) => {
  const { tools, invalid } = await compiled(name, 'x{{args.choice|default:}}');
  expect(tools).toEqual([]);
  expect(invalid).toMatchObject([{ error: `${name} says which code is run: no argument may stand in it.` }]);
  expect((await compiled(name, '{{context.skill_dir}}/lib')).tools).toHaveLength(1);
});

test.each(['LD_PRELOAD', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES', 'BASH_FUNC_ls%%', 'A=B'])(
  'a skill sets no %s',
  async (name) => expect((await compiled(JSON.stringify(name), 'x')).tools).toEqual([]),
);

test('other variables take arguments', async () => {
  expect((await compiled('TITLE', '{{args.title}}')).tools).toHaveLength(1);
});
