import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { plain } from '../../azure-seed/support/connectors.ts';
import { type Office, openArm, openOffice, textOf } from '../../azure-seed/support/office.ts';
import { connected } from './support/hostile-connector.ts';

let office: Office;
let token: string;

beforeEach(async () => {
  const arm = await openArm({ connectors: [plain('c', 'Get')], connections: [connected('c')] });
  const given = arm.token();
  token = given;
  office = await openOffice({ options: { azure: { token: async () => given } } }, arm);
});

describe('an Azure that repeats the token', () => {
  it.each([
    ['list_connections', {}, '/connections'],
    ['get_consent_link', { connectionName: 'c' }, '/listConsentLinks'],
    ['put_connection', { apiName: 'c', connectionName: 'd' }, '/connections/d'],
    ['list_managed_apis', {}, '/managedApis'],
    ['refresh_tools', {}, '/managedApis/c'],
    ['c_get', {}, '/dynamicInvoke'],
  ])('hides it in an error of %s', async (tool, args, end) => {
    office.arm.interrupt({
      when: ({ path }) => path.endsWith(end),
      times: 'always',
      plan: { status: 400, body: { error: { code: 'Bad', message: `You sent: Bearer ${token}` } } },
    });
    const result = await office.call(tool, args);
    expect(textOf(result)).toContain('You sent');
    expect(JSON.stringify(result)).not.toContain(token);
  });

  it('hides it in an answer, in base64 as well', async () => {
    const written = Buffer.from(token).toString('base64');
    office.arm.interrupt({
      when: ({ path }) => path.endsWith('/dynamicInvoke'),
      plan: { status: 200, body: { response: { statusCode: 'OK', body: { plain: token, written } } } },
    });
    const result = await office.call('c_get');
    expect(result.structured).toMatchObject({ plain: expect.not.stringContaining(token) });
    expect(JSON.stringify(result)).not.toContain(written.slice(0, 40));
  });
});

describe('the token', () => {
  it('stands in no dry run', async () => {
    for (const [tool, args] of [
      ['c_get', {}],
      ['put_connection', { apiName: 'c' }],
      ['list_connections', {}],
      ['get_consent_link', { connectionName: 'c' }],
    ] as const) {
      const result = await office.call(tool, args, { dryRun: true });
      expect(result.error).toBeUndefined();
      expect(JSON.stringify(result)).not.toMatch(/bearer/i);
      expect(JSON.stringify(result)).not.toContain(token);
    }
  });

  it('lies in no file of the state folder', async () => {
    await office.call('c_get');
    await office.call('refresh_tools');
    await office.stop();
    const entries = await readdir(join(office.folder, 'state'), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(1);
    for (const { parentPath, name } of files) {
      expect((await readFile(join(parentPath, name))).includes(token)).toBe(false);
    }
  });

  it.each([
    ['another host', (url: string) => url.replace('127.0.0.1', 'localhost')],
    ['an address with a name and password', (url: string) => url.replace('http://', 'http://a:b@')],
    ['a file', () => 'file:///etc/hosts'],
    ['another port', (url: string) => `${new URL(url).protocol}//127.0.0.1:9`],
  ])('goes with no next link to %s', async (_, elsewhere) => {
    const { arm } = office;
    const nextLink = `${elsewhere(arm.url)}/connections?page=2`;
    arm.interrupt({
      when: ({ path }) => path.endsWith('/connections'),
      times: 'always',
      plan: { status: 200, body: { value: [arm.connection('c')!], nextLink } },
    });
    const before = arm.requests.length;
    expect(textOf(await office.call('list_connections'))).toContain('it is not followed');
    expect(arm.requests.slice(before).filter(({ query }) => query['page'] === '2')).toEqual([]);
  });
});
