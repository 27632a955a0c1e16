import { describe, expect, it } from 'vitest';
import type { CompletedResult, JsonObject } from '../../src/index.ts';
import { callApproved } from '../approved-calls.ts';
import { armError } from '../doubles/arm/arm-errors.ts';
import type { Plan } from '../doubles/arm/interference.ts';
import { plain } from './support/connectors.ts';
import { openArm, openOffice, textOf } from './support/office.ts';

const GROUP = {
  connectors: [plain('post', 'ReadPost', 'ListBoxes'), plain('drive', 'ListFiles')],
  connections: [
    { name: 'post', api: 'post' },
    { name: 'drive', api: 'drive' },
  ],
};
const OWN = ['list_connections', 'list_managed_apis', 'put_connection', 'get_consent_link'];
const everything = () => true;

/** Every way in which Azure can refuse to list, with words of the reason. */
const FAILURES: readonly (readonly [string, Plan, RegExp])[] = [
  ['401', armError(401, 'InvalidAuthenticationToken', 'The access token is invalid.'), /token|sign/i],
  [
    '403',
    armError(403, 'AuthorizationFailed', 'The client has no authorization to perform the action.'),
    /authorization|permission|role|403/i,
  ],
  ['the network', 'drop', /cannot be reached|closed|connection|network/i],
];

describe.each(FAILURES)('when listing connections fails by %s', (_name, plan, reason) => {
  const failing = async () => {
    const arm = await openArm(GROUP);
    arm.interrupt({ when: everything, plan, times: 'always' });
    return openOffice({}, arm);
  };

  it('the static and meta tools are served', async () => {
    const one = await failing();
    expect(one.names()).toEqual(
      expect.arrayContaining([...OWN, 'get_connection', 'list_dynamic_tools', 'refresh_tools']),
    );
    expect(one.names()).not.toContain('post_read_post');
  });

  it('each of them says why', async () => {
    const one = await failing();
    const args = { apiName: 'post', connectionName: 'post' };
    const calls: readonly [string, JsonObject][] = [
      ['list_connections', {}],
      ['list_managed_apis', {}],
      ['get_connection', { connectionName: 'post' }],
      ['put_connection', args],
      ['get_consent_link', { connectionName: 'post' }],
    ];
    await Promise.all(
      calls.map(async ([tool, given]) => {
        const result = (await callApproved(one.gateway, { tool, arguments: given })) as CompletedResult;
        expect(result.error, tool).toBeDefined();
        expect(textOf(result), tool).toMatch(reason);
      }),
    );
    // an empty list is no answer by itself: the reason stands beside it
    const listed = textOf(await one.call('list_dynamic_tools'));
    expect(listed).toMatch(/^\[\]\nNote: /);
    expect(listed).toMatch(reason);
    const refreshed = textOf(await one.call('refresh_tools'));
    expect(refreshed).toMatch(/^Refresh complete\. Registered: 0, Skipped: 0, Errors: 1\n/);
    expect(refreshed).toMatch(reason);
  });

  it('a meta tool heals it at once', async () => {
    const one = await failing();
    one.arm.forget();
    expect(textOf(await one.call('refresh_tools'))).toBe(
      'Refresh complete. Registered: 3, Skipped: 0, Errors: 0\n',
    );
    expect(one.names()).toEqual(expect.arrayContaining(['post_read_post', 'drive_list_files']));
    expect(textOf(await one.call('list_dynamic_tools'))).not.toContain('Note:');
  });

  it('it heals by itself, and clients are told', async () => {
    const one = await failing();
    one.arm.forget();
    await one.until(() => one.names().includes('post_read_post') && one.names().includes('drive_list_files'));
    expect(one.announced).toBeGreaterThan(0);
    expect((await one.call('post_read_post')).error).toBeUndefined();
  });
});

describe('a right that is missing for the list alone', () => {
  it('says which one, and what needs no list works', async () => {
    const arm = await openArm(GROUP);
    arm.deny('Microsoft.Web/connections/read');
    const one = await openOffice({}, arm);
    expect(textOf(await one.call('list_connections'))).toContain('Microsoft.Web/connections/read');
    const apis = await one.call('list_managed_apis', { search: 'drive' });
    expect(apis.structured).toMatchObject({ matching: 1 });
    arm.allow('Microsoft.Web/connections/read');
    expect((await one.call('list_connections')).error).toBeUndefined();
    await one.until(() => one.names().includes('drive_list_files'));
  });
});

describe('one API among others', () => {
  it('that is slow holds neither the first list nor the others', async () => {
    const arm = await openArm(GROUP);
    const released = Promise.withResolvers<void>();
    arm.interrupt({
      when: ({ query, path }) => query['export'] === 'true' && path.endsWith('/drive'),
      plan: { hold: released.promise },
    });
    const one = await openOffice({ configuration: { watch: true } }, arm);
    await one.until(() => one.names().includes('post_read_post'));
    expect(one.names()).not.toContain('drive_list_files');
    expect((await one.call('post_read_post')).error).toBeUndefined();
    released.resolve();
    await one.until(() => one.names().includes('drive_list_files'));
  });

  it('that fails costs only its own tools, and comes by itself when it is mended', async () => {
    const arm = await openArm(GROUP);
    arm.breakApi('drive', 'not-json');
    const one = await openOffice({ configuration: { watch: true } }, arm);
    await one.until(() => one.names().includes('post_read_post'));
    await one.until(() => one.gateway.diagnostics().some(({ code }) => code === 'connector-problem'));
    expect(one.names()).not.toContain('drive_list_files');
    arm.healApi('drive');
    await one.until(() => one.names().includes('drive_list_files'));
    expect(one.gateway.diagnostics().filter(({ code }) => code === 'connector-problem')).toEqual([]);
  });

  it('that fails again and again is suspended alone: its neighbours and the own tools go on', async () => {
    const one = await openOffice({ arm: GROUP });
    one.arm.script('drive.ListFiles', {
      status: 'NotImplemented',
      body: { error: { message: 'Not here.' } },
    });
    const codes: (string | undefined)[] = [];
    for (let call = 0; call < 8; call++) codes.push((await one.call('drive_list_files')).error?.code);
    expect([codes[0], codes.at(-1)]).toEqual(['upstream_status', 'connection_suspended']);
    expect((await one.call('post_read_post')).error).toBeUndefined();
    expect((await one.call('list_connections')).error).toBeUndefined();
    expect((await one.call('refresh_tools')).error).toBeUndefined();
  });

  it('APIs are fetched beside each other, a few at a time, each once', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `api${index}`);
    const one = await openOffice({
      arm: {
        connectors: names.map((name) => plain(name, 'Read')),
        connections: names.flatMap((name) => [
          { name, api: name },
          { name: `${name}-2`, api: name },
        ]),
      },
    });
    expect(one.names().filter((name) => name.startsWith('api'))).toHaveLength(24);
    expect(one.arm.requests.filter(({ query }) => query['export'] === 'true')).toHaveLength(12);
    expect(one.arm.peakExports).toBeLessThanOrEqual(4);
  });
});

describe('the next start', () => {
  it('serves everything from disk, without waiting for a network that does not answer', async () => {
    const first = await openOffice({ arm: GROUP });
    const names = first.names();
    expect(names).toEqual(expect.arrayContaining(['post_read_post', 'drive_list_files']));
    await first.stop();
    const never = Promise.withResolvers<void>();
    first.arm.interrupt({ when: everything, plan: { hold: never.promise }, times: 'always' });
    const second = await first.again();
    expect(second.names()).toEqual(names);
    expect(second.descriptionOf('post_read_post')).toBe(first.descriptionOf('post_read_post'));
    never.resolve();
  });

  it('goes on without a network: the tools stay, a call says what is wrong, and it heals', async () => {
    const first = await openOffice({ arm: GROUP });
    const names = first.names();
    await first.stop();
    first.arm.interrupt({ when: everything, plan: 'drop', times: 'always' });
    const second = await first.again({ configuration: { watch: true } });
    const failed = await second.call('post_read_post');
    expect(textOf(failed)).toMatch(/^Error invoking post\.ReadPost: /);
    expect(second.names()).toEqual(names);
    first.arm.forget();
    expect((await second.call('post_read_post')).error).toBeUndefined();
  });

  it('takes over what changed meanwhile', async () => {
    const first = await openOffice({ arm: GROUP });
    await first.stop();
    first.arm.removeConnection('drive');
    first.arm.putConnector(plain('post', 'ReadPost', 'SendPost'));
    const second = await first.again({ configuration: { watch: true } });
    await second.until(
      () => second.names().includes('post_send_post') && !second.names().includes('drive_list_files'),
    );
    expect(second.names()).not.toContain('post_list_boxes');
  });
});
