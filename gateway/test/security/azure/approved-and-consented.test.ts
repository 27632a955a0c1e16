import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { approvalAskedFor, PERSON } from '../../approved-calls.ts';
import { plain } from '../../azure-seed/support/connectors.ts';
import { consentAt, type Office, openOffice } from '../../azure-seed/support/office.ts';
import { operation } from '../../doubles/arm/connectors/writing.ts';
import { connected, envelopes, hostile } from './support/hostile-connector.ts';

const BOX = hostile('box', { '/{connectionId}/it': { delete: operation('Remove', 'Remove', []) } });

describe.each<[string, ClientOptions]>([
  ['2025-11-25', {}],
  ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
])('a delete at a connection that nobody signed in, for a client of %s', (_era, options) => {
  const connect = async (
    office: Office,
    answers: Record<'form' | 'url', (url: string) => Promise<object>>,
  ) => {
    const asked: string[] = [];
    const client = new Client(
      { name: 'person', version: '1' },
      { ...options, capabilities: { elicitation: { form: {}, url: {} } } },
    );
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const { mode = 'form', url = '' } = params as { mode?: 'form' | 'url'; url?: string };
      asked.push(mode);
      return (await answers[mode](url)) as never;
    });
    onTestFinished(() => client.close().catch(() => undefined));
    const { url } = await office.gateway.listen({ port: 0 });
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
    return { client, asked };
  };
  const open = () =>
    openOffice({
      arm: { connectors: [BOX], connections: [{ name: 'box', api: 'box', status: 'Error' }] },
    });
  const remove = (client: Client) => client.callTool({ name: 'box_remove', arguments: {} });
  const approve = async () => ({ action: 'accept', content: { decision: 'approve' } });

  it('asks for each once, is carried out once, and the agreement is used up', async () => {
    const office = await open();
    const { client, asked } = await connect(office, {
      form: approve,
      async url(url) {
        await consentAt(url);
        return { action: 'accept' };
      },
    });
    expect((await remove(client)).isError ?? false).toBe(false);
    expect(asked).toEqual(['form', 'url']);
    // the first was refused for want of a sign-in
    expect(envelopes(office.arm)).toHaveLength(2);
    await remove(client);
    expect(asked).toEqual(['form', 'url', 'form']);
  });

  it('does nothing where the person agrees and then declines to sign in', async () => {
    const office = await open();
    const { client, asked } = await connect(office, {
      form: approve,
      url: async () => ({ action: 'decline' }),
    });
    expect((await remove(client)).isError).toBe(true);
    expect([asked, envelopes(office.arm).length]).toEqual([['form', 'url'], 1]);
  });
});

describe('an agreement to delete one connection', () => {
  it('deletes no other, and only once', async () => {
    const office = await openOffice({
      arm: { connectors: [plain('a', 'Get'), plain('b', 'Get')], connections: ['a', 'b'].map(connected) },
    });
    const remove = (connectionName: string) => office.call('delete_connection', { connectionName });
    const approval = approvalAskedFor(await remove('a'))!;
    await (await office.gateway.approvals()).decide(approval, { decision: 'approve' }, PERSON);
    expect((await remove('b')).error?.code).toBe('approval_required');
    expect((await remove('a')).error).toBeUndefined();
    expect((await remove('a')).error?.code).toBe('approval_required');
    expect(office.arm.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });
});
