import { describe, expect, it } from 'vitest';
import { type AzureCredential, createAzureTokens } from '../../../src/credentials/azure/index.ts';
import { createEgress } from '../../../src/egress/index.ts';
import { jwt } from './jwt.ts';
import { azureSettings } from './settings.ts';

const egress = createEgress();
const HOUR = 3_600_000;

/** Tokens by an injected credential under a clock of our own. */
function crib(credential: AzureCredential, authentication: 'env' | 'interactive' = 'env') {
  const announced: string[] = [];
  let time = 1_000_000;
  const tokens = createAzureTokens({
    settings: azureSettings({ authentication }),
    egress,
    env: {},
    announce: (secret) => announced.push(secret),
    now: () => time,
    credential,
  });
  return {
    tokens,
    announced,
    now: () => time,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    value: async (signal = new AbortController().signal) => (await tokens.token(signal)).value,
  };
}

/** Gives token-1, token-2, … for a life each. */
function counting(now: () => number, life = HOUR) {
  const asked: string[] = [];
  const credential: AzureCredential = {
    getToken: async (scope) => {
      asked.push(scope);
      return { token: `token-${asked.length}`, expiresOnTimestamp: now() + life };
    },
  };
  return { asked, credential };
}

function countingCrib(life?: number, authentication?: 'env' | 'interactive') {
  let clock = () => 0;
  const { asked, credential } = counting(() => clock(), life);
  const made = crib(credential, authentication);
  clock = made.now;
  return { ...made, asked };
}

describe('a token for Azure', () => {
  it('is asked for by the scope, kept until five minutes before its end, and announced', async () => {
    const { asked, announced, pass, value } = countingCrib();
    expect(await value()).toBe('token-1');
    pass(HOUR - 5 * 60_000 - 1);
    expect(await value()).toBe('token-1');
    pass(1);
    expect(await value()).toBe('token-2');
    expect(asked).toEqual(['https://management.azure.com/.default', 'https://management.azure.com/.default']);
    expect(announced).toEqual(['token-1', 'token-2']);
  });

  it('of a short life is kept for half of it', async () => {
    const { pass, value } = countingCrib(60_000);
    expect(await value()).toBe('token-1');
    pass(29_999);
    expect(await value()).toBe('token-1');
    pass(1);
    expect(await value()).toBe('token-2');
  });

  it('is fetched once for all who wait', async () => {
    const { asked, value } = countingCrib();
    expect(await Promise.all([value(), value(), value()])).toEqual(['token-1', 'token-1', 'token-1']);
    expect(asked).toHaveLength(1);
  });

  it('is asked for again after a failure', async () => {
    let failing = true;
    const { value } = crib({
      getToken: async () => {
        if (failing) throw new Error('out of order');
        return { token: 'token', expiresOnTimestamp: HOUR * 1000 };
      },
    });
    await expect(value()).rejects.toMatchObject({ code: 'credentials_missing' });
    failing = false;
    expect(await value()).toBe('token');
  });

  it('that is none is an error', async () => {
    const { value } = crib({ getToken: async () => null });
    await expect(value()).rejects.toMatchObject({ code: 'credentials_missing' });
  });

  it('comes for the next call when its first caller has gone', async () => {
    const landing = Promise.withResolvers<{ token: string; expiresOnTimestamp: number }>();
    let asked = 0;
    const { value } = crib({
      getToken: () => {
        asked++;
        return landing.promise;
      },
    });
    const caller = new AbortController();
    const first = value(caller.signal);
    caller.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    landing.resolve({ token: 'late', expiresOnTimestamp: HOUR * 1000 });
    expect(await value()).toBe('late');
    expect(asked).toBe(1);
  });

  it('says who holds it', async () => {
    const value = jwt({ oid: 'o-7', tid: 't-7', exp: 4_000_000_000 });
    const { tokens } = crib({ getToken: async () => ({ token: value, expiresOnTimestamp: HOUR * 1000 }) });
    const token = await tokens.token(new AbortController().signal);
    expect(token.claims()).toEqual({ objectId: 'o-7', tenantId: 't-7', expiresAt: 4_000_000_000_000 });
  });

  it.each(['opaque', 'a.b', 'a.!!.c', `${jwt({ oid: 7, exp: 'soon' })}`])(
    'says nothing where it is no JWT of that kind: %s',
    async (value) => {
      const { tokens } = crib({ getToken: async () => ({ token: value, expiresOnTimestamp: HOUR * 1000 }) });
      expect((await tokens.token(new AbortController().signal)).claims()).toEqual({});
    },
  );
});

describe('a token that the service refused', () => {
  it('is replaced once; the next refusal so soon is not its fault', async () => {
    const { tokens, pass, value } = countingCrib();
    await value();
    expect(tokens.refused('token-1')).toBe(true);
    expect(await value()).toBe('token-2');
    expect(tokens.refused('token-2')).toBe(false);
    expect(await value()).toBe('token-2');
    pass(30_000);
    expect(tokens.refused('token-2')).toBe(true);
    expect(await value()).toBe('token-3');
  });

  it('does not take a newer one with it', async () => {
    const { tokens, value } = countingCrib();
    await value();
    tokens.refused('token-1');
    await value();
    expect(tokens.refused('token-1')).toBe(true);
    expect(await value()).toBe('token-2');
  });

  it('asks nobody to sign in again who has just done so', async () => {
    const { tokens, pass, value } = countingCrib(undefined, 'interactive');
    await value();
    expect(tokens.refused('token-1')).toBe(false);
    pass(5 * 60_000);
    expect(tokens.refused('token-1')).toBe(true);
    expect(await value()).toBe('token-2');
  });
});

describe('closing', () => {
  it('ends a fetch that waits for somebody', async () => {
    const begun = Promise.withResolvers<AbortSignal>();
    const { tokens, value } = crib({
      getToken: (_scope, { abortSignal } = {}) => {
        begun.resolve(abortSignal!);
        return new Promise((_resolve, reject) => {
          abortSignal!.addEventListener('abort', () => reject(abortSignal!.reason));
        });
      },
    });
    const waiting = value();
    const signal = await begun.promise;
    tokens.close();
    expect(signal.aborted).toBe(true);
    await expect(waiting).rejects.toThrow(/shutting down/);
    await expect(value()).rejects.toThrow(/shutting down/);
  });
});
