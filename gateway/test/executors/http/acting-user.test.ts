import { describe, expect, it } from 'vitest';
import { buildRequest } from '../../../src/executors/http/index.ts';
import type { Binding } from '../../../src/operations/index.ts';
import { connectionOf, operationOf, refusal } from './operation-under-test.ts';

const bindings: Binding[] = [{ in: 'header', name: 'On-Behalf-Of', inject: 'actingUser' }];
const required = operationOf({ bindings, actingUser: 'required' });
const welcome = operationOf({ bindings });
const header = (request: ReturnType<typeof buildRequest>) =>
  request.headers.find(([name]) => name === 'On-Behalf-Of')?.[1];

describe('the acting user', () => {
  it('comes from the connection, never from arguments', () => {
    const args = { actingUser: '1', 'On-Behalf-Of': '1' };
    expect(header(buildRequest(required, args, connectionOf({ actingUser: '42' })))).toBe('42');
    expect(header(buildRequest(welcome, args, connectionOf()))).toBeUndefined();
  });

  it('is missing: the request is not built', () => {
    const build = () => buildRequest(required, {}, connectionOf({ provider: 'greenhouse' }));
    expect(build).toThrow(refusal('acting_user_missing'));
    expect(build).toThrow(/greenhouse.*admin connection map/);
  });
});
