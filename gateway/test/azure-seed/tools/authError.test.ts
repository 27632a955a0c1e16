import { describe, expect, it } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import { fakeRoom, httpOf, inner, operationOf, run } from '../../executors/azure/connector-under-test.ts';

const LIST = operationOf({ api: 'office365', connection: 'office365', operationId: 'GetEmailsV3' });
const REFUSED = inner('Unauthorized', {
  error: { code: 'Unauthenticated', message: 'This connection is not authenticated.' },
});

describe('seed 001 §7.2, §10.3: connection is unauthenticated', () => {
  it('returns the consent link in the words of the seed', async () => {
    const link = async () => 'https://login.example/consent?code=1';
    await expect(
      run(
        fakeRoom(() => REFUSED, { status: 'Error', link }),
        LIST,
      ),
    ).rejects.toMatchObject({
      code: 'reconnect_required',
      text:
        'Connection "office365" is not authenticated.\n\n' +
        'Please open this URL to consent:\nhttps://login.example/consent?code=1\n\n' +
        'After consenting, retry this tool call.',
    });
  });

  it('falls through to the generic error where no link can be had', async () => {
    const link = () => Promise.reject(new ToolcribError('upstream_status', 'Azure answered 500'));
    await expect(
      run(
        fakeRoom(() => REFUSED, { status: 'Error', link }),
        LIST,
      ),
    ).rejects.toMatchObject({
      text: expect.stringMatching(/^Error invoking office365\.GetEmailsV3: .*Azure answered 500/),
    });
  });

  it('works after the consent, with the same call', async () => {
    const room = fakeRoom(() => (room.state === 'Connected' ? inner('OK', { value: [] }) : REFUSED), {
      status: 'Error',
    });
    await expect(run(room, LIST)).rejects.toMatchObject({ code: 'reconnect_required' });
    room.state = 'Connected';
    expect(httpOf(await run(room, LIST)).text).toBe('{"value":[]}');
  });

  it('is no matter of consent where the connector refuses a signed-in account', async () => {
    const room = fakeRoom(() => inner('Forbidden', { error: { code: 'ErrorAccessDenied', message: 'no' } }));
    expect(httpOf(await run(room, LIST)).status).toBe(403);
    expect(room.links).toEqual([]);
  });
});
