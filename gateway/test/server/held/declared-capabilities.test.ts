import { expect, test } from 'vitest';
import type { InputRequest, JsonObject } from '../../../src/operations/index.ts';
import { missingCapability } from '../../../src/server/held/declared-capabilities.ts';

const SAMPLE = { messages: [], maxTokens: 1 };
const PAGE = { mode: 'url', message: 'm', url: 'https://e.example/' };

test.each<[InputRequest['method'], JsonObject, JsonObject, JsonObject | undefined]>([
  ['sampling/createMessage', SAMPLE, {}, { sampling: {} }],
  ['sampling/createMessage', SAMPLE, { sampling: {} }, undefined],
  ['sampling/createMessage', { ...SAMPLE, tools: [] }, { sampling: {} }, { sampling: { tools: {} } }],
  [
    'sampling/createMessage',
    { ...SAMPLE, toolChoice: { mode: 'none' } },
    { sampling: { context: {} } },
    { sampling: { tools: {} } },
  ],
  ['sampling/createMessage', { ...SAMPLE, tools: [] }, {}, { sampling: { tools: {} } }],
  ['sampling/createMessage', { ...SAMPLE, tools: [] }, { sampling: { tools: {} } }, undefined],
  ['roots/list', {}, {}, { roots: {} }],
  ['elicitation/create', PAGE, { elicitation: {} }, { elicitation: { url: {} } }],
  ['elicitation/create', { message: 'm' }, { elicitation: {} }, undefined],
])('%s with %j of a client with %j lacks %j', (method, params, declared, missing) => {
  expect(missingCapability(method, params, declared)).toEqual(missing);
});
