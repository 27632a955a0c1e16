import { describe, expect, it } from 'vitest';
import type { CompletedResult } from '../../src/index.ts';
import { approvalAskedFor, callApproved, PERSON } from '../approved-calls.ts';
import { plain, SLACK, SLACK_TOOLS } from './support/connectors.ts';
import { consentAt, jsonOf, MARK, openOffice, textOf } from './support/office.ts';

/** The count that an answer of put_connection gives. */
const registeredBy = ({ structured }: CompletedResult) => (structured as { registered: number }).registered;

const office = () =>
  openOffice({
    arm: {
      connectors: [plain('post', 'ReadPost', 'ListBoxes'), plain('drive', 'ListFiles'), SLACK],
      connections: [
        { name: 'post', api: 'post' },
        { name: 'drive', api: 'drive' },
      ],
    },
  });

describe('delete_connection', () => {
  const args = { connectionName: 'drive' };

  it('asks a person; refused, nothing is deleted', async () => {
    const one = await office();
    const result = await one.call('delete_connection', args);
    expect(result.error?.code).toBe('approval_required');
    const approval = approvalAskedFor(result)!;
    await (await one.gateway.approvals()).decide(approval, { decision: 'reject' }, PERSON);
    expect((await one.call('delete_connection', args)).error?.code).toBe('approval_rejected');
    expect(one.arm.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
    expect(one.names()).toContain('drive_list_files');
  });

  it('agreed to, deletes once; its tools are gone with the answer, and clients are told', async () => {
    const one = await office();
    const before = one.announced;
    const result = await callApproved(one.gateway, { tool: 'delete_connection', arguments: args });
    expect(result).toMatchObject({ structured: { deleted: 'drive', toolsRemoved: 1 } });
    expect(one.arm.connection('drive')).toBeUndefined();
    expect(one.names()).not.toContain('drive_list_files');
    expect(one.names()).toContain('post_read_post');
    // once or more: documents may arrive apart
    expect(one.announced).toBeGreaterThan(before);
    await expect(one.gateway.call({ tool: 'drive_list_files' })).rejects.toMatchObject({
      code: 'tool_unknown',
    });
  });

  it('of a connection that is not there removes no tools', async () => {
    const one = await office();
    const request = { tool: 'delete_connection', arguments: { connectionName: 'nobody' } };
    expect(await callApproved(one.gateway, request)).toMatchObject({ structured: { toolsRemoved: 0 } });
    expect(one.names()).toEqual(expect.arrayContaining(['drive_list_files', 'post_read_post']));
  });
});

describe('get_connection', () => {
  it('asks a person, since it shows whose account it is; values of parameters stay hidden', async () => {
    const one = await office();
    const request = { tool: 'get_connection', arguments: { connectionName: 'post' } };
    expect((await one.call(request.tool, request.arguments)).error?.code).toBe('approval_required');
    const result = await callApproved(one.gateway, request);
    expect(result).toMatchObject({
      structured: { name: 'post', properties: { overallStatus: 'Connected' } },
    });
  });
});

describe('put_connection', () => {
  it('twice: the second registers 0', async () => {
    const one = await office();
    const first = await one.call('put_connection', { apiName: 'slack' });
    const second = await one.call('put_connection', { apiName: 'slack' });
    expect([registeredBy(first), registeredBy(second)]).toEqual([SLACK_TOOLS, 0]);
  });

  it('of a second connection of one API: tools of its own, which go to it', async () => {
    const one = await office();
    const made = await one.call('put_connection', { apiName: 'slack', connectionName: 'slack-team' });
    expect(registeredBy(made)).toBe(SLACK_TOOLS);
    await one.call('put_connection', { apiName: 'slack' });
    await one.call('slack_slack-team_get_team');
    await one.call('slack_get_team');
    expect(one.arm.invocations.map(({ connection }) => connection)).toEqual(['slack-team', 'slack']);
  });

  it('at the same time: each counts its own', async () => {
    const one = await office();
    const [slack, box] = await Promise.all([
      one.call('put_connection', { apiName: 'slack' }),
      one.call('put_connection', { apiName: 'post', connectionName: 'box' }),
    ]);
    expect([registeredBy(slack), registeredBy(box)]).toEqual([SLACK_TOOLS, 2]);
  });
});

describe('get_consent_link', () => {
  it('gives the link by which a connection is signed in; its mark goes, without a call', async () => {
    const one = await office();
    one.arm.changeConnection('drive', { status: 'Error' });
    await one.call('list_connections');
    await one.until(() => one.descriptionOf('drive_list_files')!.includes(MARK));
    const answer = jsonOf(await one.call('get_consent_link', { connectionName: 'drive' }));
    expect(answer.connection).toBe('drive');
    await consentAt(answer.link);
    await one.until(() => !one.descriptionOf('drive_list_files')!.includes(MARK));
  });
});

describe('refresh_tools', () => {
  it('adds, changes and removes', async () => {
    const one = await office();
    const { arm } = one;
    arm.putConnector({ ...plain('post', 'ReadPost', 'SendPost') });
    arm.removeConnection('drive');
    arm.putConnection({ name: 'slack', api: 'slack' });
    const changed = plain('post', 'ReadPost', 'SendPost');
    const paths = changed.swagger['paths'] as Record<string, { get: { summary: string } }>;
    paths['/{connectionId}/ReadPost']!.get.summary = 'Read the newest post';
    arm.putConnector(changed);
    const before = one.announced;
    expect(textOf(await one.call('refresh_tools'))).toBe(
      `Refresh complete. Registered: ${SLACK_TOOLS + 2}, Skipped: 0, Errors: 0\n`,
    );
    const names = one.names();
    expect(names).toEqual(expect.arrayContaining(['post_send_post', 'slack_post_message']));
    expect(names).not.toContain('post_list_boxes');
    expect(names).not.toContain('drive_list_files');
    expect(one.descriptionOf('post_read_post')).toContain('Read the newest post');
    // once or more: documents may arrive apart
    expect(one.announced).toBeGreaterThan(before);
    expect((await one.call('post_send_post')).error).toBeUndefined();
  });

  it('goes past what is kept in memory and on disk', async () => {
    const one = await office();
    const exports = () => one.arm.requests.filter(({ query }) => query['export'] === 'true').length;
    expect(exports()).toBe(2);
    await one.call('refresh_tools');
    expect(exports()).toBe(4);
  });

  it('that finds nothing new tells nobody', async () => {
    const one = await office();
    const before = one.announced;
    await one.call('refresh_tools');
    expect(one.announced).toBe(before);
  });
});
