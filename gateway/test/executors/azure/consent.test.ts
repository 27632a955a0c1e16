import { describe, expect, it } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import type { AzureExecutorOptions } from '../../../src/executors/azure/azure-executor.ts';
import { fakeRoom, httpOf, inner, run } from './connector-under-test.ts';
import { LINK, opens, READ, REFUSED, TEXT, unsigned, user } from './unsigned-connection.ts';

describe('a call to a connection at which nobody is signed in', () => {
  it('is answered with the link', async () => {
    const room = unsigned();
    await expect(run(room, READ)).rejects.toMatchObject({
      code: 'reconnect_required',
      text: TEXT,
      details: { link: LINK, connection: 'mail' },
    });
    expect(room.seen).toEqual(['Error']);
    expect(room.links).toEqual(['mail']);
  });

  it('does not write the link into its message', async () => {
    const error: unknown = await run(unsigned(), READ).catch((caught: unknown) => caught);
    expect((error as Error).message).not.toContain(LINK);
  });

  it.each([
    ['an inner code', REFUSED, 'Connected'],
    [
      'an inner code deeper down',
      inner('Forbidden', { error: { innerError: { code: 'Unauthenticated' } } }),
      'Connected',
    ],
    [
      'a code of Resource Manager',
      { status: 401, body: { error: { code: 'Unauthenticated' } } },
      'Connected',
    ],
    ['any refusal while it is not connected', inner('Forbidden', 'no'), 'Error'],
    ['a refusal of Resource Manager while it is not connected', { status: 403, body: {} }, 'Unauthenticated'],
  ])('is known by %s', async (_, answer, status) => {
    await expect(
      run(
        fakeRoom(() => answer, { status }),
        READ,
      ),
    ).rejects.toMatchObject({ text: TEXT });
  });

  it.each([
    ['a refusal of the connector while somebody is signed in', inner('Forbidden', 'no'), 'Connected', 403],
    ['a connection that is gone', inner('Unauthorized', 'no'), undefined, 401],
    [
      'a missing role of the gateway',
      { status: 403, body: { error: { code: 'AuthorizationFailed' } } },
      'Error',
      403,
    ],
    [
      'a token of the gateway that ended',
      { status: 401, body: { error: { code: 'ExpiredAuthenticationToken' } } },
      'Error',
      401,
    ],
    ['another failure', inner('NotFound', { error: { code: 'Unauthenticated' } }), 'Error', 404],
  ])('is not taken for %s', async (_, answer, status, code) => {
    const room = fakeRoom(() => answer, {});
    room.state = status;
    expect(httpOf(await run(room, READ)).status).toBe(code);
    expect(room.links).toEqual([]);
  });

  it('says why where no link can be had', async () => {
    const link = () => Promise.reject(new ToolcribError('upstream_status', 'Azure answered 403 Forbidden'));
    await expect(run(unsigned({ link }), READ)).rejects.toMatchObject({
      code: 'reconnect_required',
      text: expect.stringMatching(
        /^Error invoking mail\.ListThings: Connection "mail" is not authenticated, and Azure gave no link to consent at: Azure answered 403/,
      ),
    });
  });

  it('lets nothing of a foreign fault through', async () => {
    const link = () => Promise.reject(new Error('token=secret'));
    const error = (await run(unsigned({ link }), READ).catch((caught: unknown) => caught)) as ToolcribError;
    expect(`${error.message}${error.text}`).not.toContain('secret');
  });
});

describe('who gets the link', () => {
  it.each([[[]], [['viewer']]])('not a user with roles %j', async (roles) => {
    const room = unsigned();
    const error = (await run(
      room,
      READ,
      {},
      { principal: user(...roles), channel: { clientCapabilities: opens } },
    ).catch((caught: unknown) => caught)) as ToolcribError;
    expect(error).toMatchObject({ code: 'reconnect_required', details: { connection: 'mail' } });
    expect(error.text).toBe(
      'Connection "mail" is not authenticated.\n\nAn admin gets the page to consent at with the tool get_consent_link (connectionName "mail").\n\nAfter consenting, retry this tool call.',
    );
    expect(room.links).toEqual([]);
  });

  it.each(['admin', 'ADMIN'])('a user with role %s', async (role) => {
    await expect(run(unsigned(), READ, {}, { principal: user(role) })).rejects.toMatchObject({ text: TEXT });
  });

  it('whom the gateway says', async () => {
    const options: Partial<AzureExecutorOptions> = { mayConsent: async () => false };
    await expect(run(unsigned(), READ, {}, { options })).rejects.not.toMatchObject({ text: TEXT });
  });
});
