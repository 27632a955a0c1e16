import { writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../src/config/index.ts';
import { checkAzure } from '../../src/doctor/azure.ts';
import { temporaryHome } from '../cli/command-run.ts';
import { type Answer, type LoopbackService, startLoopbackService } from '../doubles/loopback-service.ts';
import { REFUSED_PORT } from '../refused-port.ts';

const crib = temporaryHome();
const TOKEN = 'a-very-secret-token';
let arm: LoopbackService | undefined;
afterEach(async () => {
  await arm?.close();
  arm = undefined;
});

const connection = (name: string, properties: object) => ({
  name,
  properties: { api: { name }, ...properties },
});

/** What doctor finds for one resource group; `answer` is what ARM says to the list of connections. */
async function findings(
  answer: (page: string) => Answer,
  azure: object = {},
  env: Record<string, string> = {},
) {
  arm = await startLoopbackService('', ({ method, query }) =>
    method === 'HEAD' ? { status: 400 } : answer(Object.fromEntries(query)['page'] ?? '1'),
  );
  const settings = {
    subscription: '0aa1',
    resourceGroup: 'rg(office)',
    authentication: 'envvar',
    armEndpoint: arm.url,
    ...azure,
  };
  const configuration = await parseConfiguration(
    { sources: { office: { azure: settings } } },
    { env, baseDirectory: '/srv' },
  );
  const found = await checkAzure(configuration, { ARM_MCP_AUTH_TOKEN: TOKEN, ...env });
  expect(found.every(({ check }) => check === 'azure office')).toBe(true);
  expect(JSON.stringify(found)).not.toContain(TOKEN);
  return found;
}

describe('toolcrib doctor, azure', () => {
  it('is part of the command', async () => {
    arm = await startLoopbackService('', () => ({ status: 200, body: { value: [] } }));
    const azure = {
      subscription: '0aa1',
      resourceGroup: 'rg',
      authentication: 'envvar',
      armEndpoint: arm.url,
    };
    const file = crib.path('toolcrib.json');
    await writeFile(file, JSON.stringify({ server: { port: 0 }, sources: { office: { azure } } }));
    const { out } = await crib.run(['doctor', '--json', '--config', file], {
      env: { ARM_MCP_AUTH_TOKEN: TOKEN },
    });
    const found = (JSON.parse(out) as { findings: { check: string; message: string }[] }).findings;
    expect(found.filter(({ check }) => check === 'azure office').map(({ message }) => message)).toEqual([
      'has a token by envvar',
      'rg has no API connections to serve',
    ]);
  });

  it('says nothing without such a source', async () => {
    const configuration = await parseConfiguration(
      { sources: { gateway: { self: {} } } },
      { env: {}, baseDirectory: '/srv' },
    );
    expect(await checkAzure(configuration, {})).toEqual([]);
  });

  it('has a token, and names who has to sign in, on every page', async () => {
    const found = await findings((page) =>
      page === '1'
        ? {
            status: 200,
            body: {
              value: [
                connection('office365', { overallStatus: 'Connected' }),
                connection('teams', { overallStatus: 'Error' }),
              ],
              nextLink: `${arm!.url}/more?page=2`,
            },
          }
        : {
            status: 200,
            body: {
              value: [
                connection('old', { statuses: [{ status: 'Connected' }] }),
                connection('older', { statuses: [{ status: 'Error' }] }),
              ],
            },
          },
    );
    expect(found).toMatchObject([
      { status: 'ok', message: 'has a token by envvar' },
      { status: 'ok', message: '4 connections in rg(office)' },
      { status: 'warning', message: 'not signed in: teams, older' },
    ]);
    expect(arm!.requests.map(({ path }) => path)).toEqual([
      '/subscriptions/0aa1/resourceGroups/rg%28office%29/providers/Microsoft.Web/connections',
      '/more',
    ]);
    expect(arm!.requests.every(({ headers }) => headers.authorization === `Bearer ${TOKEN}`)).toBe(true);
  });

  it('looks at the chosen connections alone, and says which of them there is not', async () => {
    const found = await findings(
      () => ({
        status: 200,
        body: {
          value: [
            connection('a', { overallStatus: 'Error' }),
            connection('b', {}),
            connection('off', { overallStatus: 'Error', connectionState: 'Disabled' }),
          ],
        },
      }),
      { connections: ['A', 'c', 'off'] },
    );
    expect(found.map(({ message }) => message)).toEqual([
      'has a token by envvar',
      '1 connection in rg(office)',
      'not signed in: a',
      'there is no connection c, off, or it is disabled',
    ]);
  });

  it('names the connections that there are where none of them is chosen', async () => {
    const value = Array.from({ length: 12 }, (_, index) => connection(`c${index}`, {}));
    const found = await findings(() => ({ status: 200, body: { value } }), { connections: ['sharepoint'] });
    expect(found.map(({ message }) => message)).toEqual([
      'has a token by envvar',
      '`connections` chooses none of the 12 API connections of rg(office): c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, …',
      'there is no connection sharepoint, or it is disabled',
    ]);
  });

  it('tells those that nobody has to sign in from those that somebody must', async () => {
    const error = { code: 'ConfigurationNeeded', message: 'The key is wrong.' };
    const found = await findings(() => ({
      status: 200,
      body: {
        value: [connection('sql', { overallStatus: 'Error', statuses: [{ status: 'Error', error }] })],
      },
    }));
    expect(found.slice(2)).toMatchObject([
      { status: 'warning', message: 'sql does not work (Error): The key is wrong.' },
    ]);
  });

  it('follows no page elsewhere, as the gateway does not', async () => {
    const found = await findings(() => ({
      status: 200,
      body: { value: [], nextLink: 'https://elsewhere.example/more' },
    }));
    expect(found[1]).toMatchObject({ status: 'error', message: expect.stringContaining('not followed') });
  });

  it('repeats why the connections cannot be listed', async () => {
    const found = await findings(() => ({
      status: 403,
      body: { error: { code: 'AuthorizationFailed', message: 'No permission.' } },
    }));
    expect(found[1]).toMatchObject({
      status: 'error',
      message: expect.stringMatching(/403 AuthorizationFailed to "list the connections": No permission\.$/),
      next: expect.stringContaining('Microsoft.Web/connections/read'),
    });
  });

  it('says that the token is missing, and whether the endpoint answers', async () => {
    const found = await findings(() => ({ status: 200, body: {} }), {}, { ARM_MCP_AUTH_TOKEN: '' });
    expect(found).toMatchObject([
      {
        status: 'error',
        message: 'ARM_MCP_AUTH_TOKEN environment variable is not set.',
        next: expect.stringContaining('az account get-access-token'),
      },
      { status: 'ok', message: `${arm!.url} answers (400)` },
    ]);
  });

  it('asks nobody to sign in', async () => {
    const found = await findings(() => ({ status: 200, body: {} }), { authentication: 'interactive' });
    expect(found).toMatchObject([
      { status: 'info', message: expect.stringContaining('signs in') },
      { status: 'ok' },
    ]);
    expect(arm!.requests.map(({ method }) => method)).toEqual(['HEAD']);
  });

  it('says that the endpoint does not answer', async () => {
    const found = await findings(() => ({ status: 200 }), {
      armEndpoint: `http://127.0.0.1:${REFUSED_PORT}`,
    });
    expect(found[1]).toMatchObject({ status: 'error', next: expect.stringContaining('network') });
  });
});
