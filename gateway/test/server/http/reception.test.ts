import { describe, expect, it } from 'vitest';
import { type ErrorCode, ToolcribError } from '../../../src/errors.ts';
import type { Principal } from '../../../src/operations/index.ts';
import type { Guards } from '../../../src/server/http/guards.ts';
import { createReception } from '../../../src/server/http/reception.ts';
import type { Sessions } from '../../../src/server/http/sessions/create-sessions.ts';
import type { Session } from '../../../src/server/http/sessions/session.ts';
import { newSecret } from '../../../src/server/http/sessions/session-secret.ts';

const ANN: Principal = { id: 'ann', kind: 'user', organisation: 'acme', maxAccess: 'delete', roles: [] };
const refusing = (code: ErrorCode) => async (): Promise<Principal> => {
  throw new ToolcribError(code, 'Not you.');
};

/** Who owns a request where nobody is signed in and bearers come to that. */
const ownerOf = (
  principal: Guards['principal'],
  audience?: 'everybody',
  headers: Record<string, string> = { authorization: 'Bearer t' },
) =>
  createReception({ principal } as Guards, { find: async () => undefined } as unknown as Sessions).ownerOf(
    new Request('http://127.0.0.1:8787/api/v1/session', { headers }),
    audience === undefined ? {} : { audience },
  );

describe('a route for everybody', () => {
  it('knows whoever shows a credential that counts', async () => {
    expect((await ownerOf(async () => ANN, 'everybody')).principal).toBe(ANN);
  });

  it.each<ErrorCode>(['unauthorized', 'user_refused'])(
    'answers nobody, who may do nothing: %s',
    async (code) => {
      const { principal, session } = await ownerOf(refusing(code), 'everybody');
      expect(principal).toMatchObject({
        id: 'nobody',
        kind: 'user',
        maxAccess: 'read',
        roles: [],
        sources: [],
      });
      expect(principal).not.toHaveProperty('organisation');
      expect(session).toBeUndefined();
    },
  );

  it('takes nobody for nobody while that cannot be found out', async () => {
    const asked = ownerOf(refusing('store_unavailable'), 'everybody');
    await expect(asked).rejects.toMatchObject({ code: 'store_unavailable' });
  });
});

describe('any other route', () => {
  it.each<ErrorCode>(['unauthorized', 'user_refused', 'store_unavailable'])('refuses: %s', async (code) => {
    await expect(ownerOf(refusing(code))).rejects.toMatchObject({ code, message: 'Not you.' });
  });

  it('is for who is signed in, and checked as such, also where a bearer comes along', async () => {
    const session = { principal: ANN } as Session;
    const checked: unknown[] = [];
    const sessions = {
      find: async () => session,
      checkCsrf: (...given: unknown[]) => void checked.push(given),
    };
    const request = new Request('http://127.0.0.1:8787/api/v1/tools', {
      headers: { authorization: 'Bearer t' },
    });
    const reception = createReception(
      { principal: refusing('unauthorized') } as unknown as Guards,
      sessions as unknown as Sessions,
    );
    expect(await reception.ownerOf(request, {})).toEqual({ principal: ANN, depth: 0, session });
    expect(checked).toEqual([[request, session]]);
  });

  it('says that a session has ended, and nothing of it where a bearer was shown', async () => {
    const cookie = `toolcrib_session_8787=${newSecret()}`;
    const host = '127.0.0.1:8787';
    const ended = { code: 'unauthorized', message: 'The session has ended.' };
    const plain = { code: 'unauthorized', message: 'Not you.' };
    const refused = refusing('unauthorized');
    await expect(ownerOf(refused, undefined, { cookie, host })).rejects.toMatchObject(ended);
    const both = { cookie, host, authorization: 'Bearer t' };
    await expect(ownerOf(refused, undefined, both)).rejects.toMatchObject(plain);
    await expect(ownerOf(refused, undefined, { host })).rejects.toMatchObject(plain);
    const away = ownerOf(refusing('store_unavailable'), undefined, { cookie, host });
    await expect(away).rejects.toMatchObject({ code: 'store_unavailable' });
  });
});
