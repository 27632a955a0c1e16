import { expect, it, onTestFinished } from 'vitest';
import { ApiError, saidAfterwards, UnreachableError } from '../../../src/api/api-error.ts';
import { api } from '../../../src/api/client.ts';

function answered(response: () => Response): void {
  const { fetch } = globalThis;
  globalThis.fetch = async () => response();
  onTestFinished(() => {
    globalThis.fetch = fetch;
  });
}

const failureOf = (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  );

it('an answer that is not the gateway’s is told as that: what was sent may have been done, or not', async () => {
  answered(() => new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } }));
  const read = await failureOf(api('GET', '/sources'));
  expect(read).toBeInstanceOf(UnreachableError);
  expect((read as Error).message).toMatch(/^Something else answers in place of the gateway/);
  expect(await failureOf(api('POST', '/users', { body: {} }))).toMatchObject({ mayBeDone: true });
});

it('an answer that breaks off leaves open whether a change was made', async () => {
  const broken = () =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"id":'));
        controller.error(new TypeError('network error'));
      },
    });
  answered(() => new Response(broken()));
  const failed = await failureOf(api('POST', '/users', { body: {} }));
  expect(failed).toMatchObject({ code: 'gateway_unreachable', mayBeDone: true });
  expect(await failureOf(api('POST', '/access/preview', { isCheck: true }))).toMatchObject({
    mayBeDone: false,
  });
});

it('what a person sent is said in the past once the gateway is back, what is read by itself is not', () => {
  expect(saidAfterwards(new UnreachableError('change'))?.message).toBe('The gateway did not answer.');
  expect(saidAfterwards(new UnreachableError('check'))?.next).toBe('Try again: nothing was changed.');
  expect(saidAfterwards(new UnreachableError('read'))).toBeUndefined();
  expect(saidAfterwards(new ApiError(409, { code: 'record_conflict' }))).toBeUndefined();
});
