import { describe, expect, it } from 'vitest';
import { body, connectorDocument, object, ok, operation, text } from '../doubles/arm/connectors/writing.ts';
import { SLACK_TOOLS } from './support/connectors.ts';
import { jsonOf, linkIn, textOf } from './support/office.ts';
import { smallOffice as office } from './support/small-office.ts';

describe('texts and JSON of the seed', () => {
  it('a call that needs a consent says so in its words (§7.2)', async () => {
    const one = await office({ arm: { connections: [{ name: 'post', api: 'post', status: 'Error' }] } });
    const result = await one.call('post_read_post');
    const link = linkIn(textOf(result));
    expect(textOf(result)).toBe(
      `Connection "post" is not authenticated.\n\nPlease open this URL to consent:\n${link}\n\nAfter consenting, retry this tool call.`,
    );
    expect(result.error).toMatchObject({ code: 'reconnect_required', details: { link } });
  });

  it('put_connection: connection, then dynamicTools; "N new tools registered for X" (§10.1)', async () => {
    const one = await office();
    const text = textOf(await one.call('put_connection', { connectionName: 'chat', apiName: 'slack' }));
    const answer = JSON.parse(text);
    expect(text).toBe(JSON.stringify(answer, null, 2));
    expect(Object.keys(answer)).toEqual(['connection', 'dynamicTools']);
    expect(answer.dynamicTools).toEqual({
      message: `${SLACK_TOOLS} new tools registered for slack`,
      registered: SLACK_TOOLS,
    });
    const { id, name, location } = one.arm.connection('chat')!;
    expect(answer.connection).toMatchObject({
      id,
      name,
      location,
      properties: { displayName: 'chat', overallStatus: 'Connected', api: { name: 'slack' } },
    });
  });

  it('put_connection takes the whole resource as well (§10.1)', async () => {
    const one = await office();
    const { arm } = one;
    const id = `/subscriptions/${arm.subscription}/providers/Microsoft.Web/locations/${arm.location}/managedApis/slack`;
    const resource = { location: arm.location, properties: { displayName: 'Ours', api: { id } } };
    const answer = jsonOf(await one.call('put_connection', { connectionName: 'slack', body: resource }));
    expect(answer.dynamicTools.registered).toBe(SLACK_TOOLS);
    expect(JSON.parse(arm.requests.find(({ method }) => method === 'PUT')!.body)).toEqual(resource);
    expect(one.descriptionOf('slack_post_message')).toBe('[Ours] Post message');
  });

  it('put_connection that Azure refuses: "Error: …" (§10.1)', async () => {
    const one = await office();
    const result = await one.call('put_connection', { apiName: 'nosuch' });
    expect(result.error).toBeDefined();
    expect(textOf(result)).toMatch(/^Error: .*nosuch/);
  });

  it('refresh_tools: "Refresh complete. Registered: …" (§11.2)', async () => {
    const one = await office();
    expect(textOf(await one.call('refresh_tools'))).toBe(
      'Refresh complete. Registered: 2, Skipped: 0, Errors: 0\n',
    );
  });

  it('a failed call: "Error invoking api.op: …" (§6.3)', async () => {
    const one = await office();
    one.arm.script('post.ReadPost', {
      status: 'NotFound',
      body: { error: { code: 'ErrorItemNotFound', message: 'There is no such post.' } },
    });
    const result = await one.call('post_read_post');
    expect(result.error?.code).toBe('upstream_status');
    expect(textOf(result)).toMatch(/^Error invoking post\.ReadPost: .*There is no such post\./);
  });

  it('a call that never reached the connector: the same (§6.3)', async () => {
    const one = await office();
    one.arm.interrupt({ when: ({ path }) => path.endsWith('/dynamicInvoke'), plan: 'drop', times: 'always' });
    const result = await one.call('post_read_post');
    expect(textOf(result)).toMatch(/^Error invoking post\.ReadPost: /);
  });

  it('list_dynamic_tools: seven fields in their order, JSON with two spaces (§11.1)', async () => {
    const document = connectorDocument('notes', 'Notes', 'Short texts.', {
      paths: {
        '/{connectionId}/notes': {
          post: operation('WriteNote', 'Write a note', [body(object({ text: text('Text') }, ['text']))], {
            responses: ok(object({ id: text('Id') })),
          }),
        },
      },
    });
    const one = await office({
      arm: {
        connectors: [{ name: 'notes', displayName: 'Notes', swagger: document }],
        connections: [{ name: 'notes', api: 'notes', displayName: 'My notes', status: 'Error' }],
      },
    });
    expect(textOf(await one.call('list_dynamic_tools'))).toBe(
      [
        '[',
        '  {',
        '    "tool": "notes_write_note",',
        '    "api": "notes",',
        '    "displayName": "My notes",',
        '    "status": "Error",',
        '    "operationId": "WriteNote",',
        '    "method": "POST",',
        '    "summary": "Write a note"',
        '  }',
        ']',
      ].join('\n'),
    );
  });
});
