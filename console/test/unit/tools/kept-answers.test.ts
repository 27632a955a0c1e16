import { expect, it } from 'vitest';
import { keepable } from '../../../src/pages/tools/kept-answers.ts';
import type { CallAsks } from '../../../src/pages/tools/tool-types.ts';

const form = (properties: object) => ({
  method: 'elicitation/create',
  params: { mode: 'form', message: '?', requestedSchema: { type: 'object', properties } as never },
});
const ASKED: CallAsks = {
  inputRequests: {
    who: form({ mail: { type: 'string' }, copies: { type: 'integer' } }),
    account: form({
      name: { type: 'string' },
      password: { type: 'string', format: 'password' },
      code: { type: 'string', writeOnly: true },
    }),
    page: { method: 'elicitation/create', params: { mode: 'url', url: 'https://example.com/' } },
  },
};

it('keeps what was answered and what is half written', () => {
  const kept = {
    given: { who: { action: 'accept', content: { mail: 'ada@example.com' } }, page: { action: 'decline' } },
    written: { account: { name: 'ada' } },
  } as const;
  expect(keepable(ASKED, kept)).toEqual(kept);
});

it('keeps no secret: neither half written nor answered, and asks a question that had one again', () => {
  expect(
    keepable(ASKED, { given: {}, written: { account: { name: 'ada', password: 'p', code: 'c' } } }),
  ).toEqual({
    given: {},
    written: { account: { name: 'ada' } },
  });
  const answered = { account: { action: 'accept', content: { name: 'ada', password: 'p' } } } as const;
  expect(keepable(ASKED, { given: answered, written: {} })).toEqual({
    given: {},
    written: { account: { name: 'ada' } },
  });
});

it('keeps an answer whose secret fields were left out', () => {
  const given = { account: { action: 'accept', content: { name: 'ada' } } } as const;
  expect(keepable(ASKED, { given, written: {} })).toEqual({ given, written: {} });
});
