import { randomBytes } from 'node:crypto';
import type { ServerContext } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../../src/operations/index.ts';
import {
  createRequestStates,
  type RequestStates,
  type StateTarget,
} from '../../../src/server/held/request-states.ts';

const target: StateTarget = {
  principal: LOCAL_PRINCIPAL,
  method: 'tools/call',
  name: 'delete',
  arguments: { id: 1, of: { a: 1, b: 2 } },
};
const APPROVAL = { 'toolcrib/approval': { id: 'a', asked: 'form' } };
const HELD = { 'toolcrib/held': 'b' };

/** What a request with this state is taken for. */
async function opened(states: RequestStates, sealed: string, of = target) {
  const context = { mcpReq: { requestState: () => verified } } as unknown as ServerContext;
  const verified = await states.verify(sealed, context);
  return states.open(context, of);
}

describe('request states', () => {
  const key = randomBytes(32);
  const processes = () =>
    [createRequestStates(async () => key), createRequestStates(async () => key)] as const;

  it('go on in any process that has the key, where nothing is held', async () => {
    const [one, two] = processes();
    expect(await opened(two, await one.seal(APPROVAL, target))).toEqual(APPROVAL);
  });

  it('go on in their own process only, where a call is held', async () => {
    const [one, two] = processes();
    const sealed = await one.seal(HELD, target);
    expect(await opened(one, sealed)).toEqual(HELD);
    await expect(opened(two, sealed)).rejects.toMatchObject({ code: 'input_expired' });
  });

  it('are good for their principal and target only', async () => {
    const [one, two] = processes();
    const sealed = await one.seal(APPROVAL, target);
    const bob = { ...target, principal: { ...LOCAL_PRINCIPAL, id: 'bob' } };
    const elsewhere = { ...target, principal: { ...LOCAL_PRINCIPAL, organisation: 'globex' } };
    const byKey = { ...target, principal: { ...LOCAL_PRINCIPAL, key: 'another' } };
    const others = [
      bob,
      elsewhere,
      byKey,
      { ...target, name: 'other' },
      { ...target, method: 'prompts/get' },
      { ...target, arguments: { id: 2 } },
    ];
    for (const other of others) {
      await expect(opened(two, sealed, other)).rejects.toMatchObject({ code: 'request_state_invalid' });
    }
  });

  it('are good for the same arguments, however they are written', async () => {
    const [one, two] = processes();
    const sealed = await one.seal(APPROVAL, target);
    const again = { ...target, arguments: { of: { b: 2, a: 1 }, id: 1 } };
    expect(await opened(two, sealed, again)).toEqual(APPROVAL);
    const { arguments: _none, ...bare } = target;
    expect(await opened(two, await one.seal(APPROVAL, bare), { ...bare, arguments: {} })).toEqual(APPROVAL);
  });

  it('are refused when changed, or sealed with another key', async () => {
    const [one] = processes();
    const sealed = await one.seal(APPROVAL, target);
    const context = {} as ServerContext;
    await expect(one.verify(`${sealed}-TAMPERED`, context)).rejects.toThrow();
    await expect(createRequestStates(async () => randomBytes(32)).verify(sealed, context)).rejects.toThrow();
    await expect(createRequestStates().verify(sealed, context)).rejects.toThrow();
  });

  it('ask for the key again when it could not be had', async () => {
    let fails = true;
    const states = createRequestStates(async () => {
      if (fails) throw new Error('store away');
      return key;
    });
    await expect(states.seal(APPROVAL, target)).rejects.toThrow('store away');
    fails = false;
    expect(await opened(states, await states.seal(APPROVAL, target))).toEqual(APPROVAL);
  });
});
