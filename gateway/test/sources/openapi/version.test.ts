import { expect, it } from 'vitest';
import { describeText } from './describing.ts';

it.each<[string, object, string]>([
  [
    'an overlay',
    { overlay: '1.1.0', info: { title: 'O', version: '1' }, extends: './api.yaml', actions: [] },
    'main is an OpenAPI Overlay, which changes another document: name that one, and this as `overlay` of the same source',
  ],
  ['workflows', { arazzo: '1.0.1', sourceDescriptions: [] }, 'is an Arazzo document of workflows'],
  ['messages', { asyncapi: '3.0.0', channels: {} }, 'is an AsyncAPI document of messages'],
  [
    'a collection',
    { info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' }, item: [] },
    'is a Postman collection',
  ],
  ['what introspection answers', { data: { __schema: { types: [] } } }, 'is a GraphQL schema'],
  ['anything else', { info: { schema: 1 }, data: [] }, 'has neither `openapi` nor `swagger`'],
  ['another version', { swagger: '1.2' }, 'says version "1.2"'],
])('%s is no document of an API, and the error says what it is', async (_what, document, said) => {
  const refused = describeText(document);
  await expect(refused).rejects.toMatchObject({ code: 'source_invalid', pointer: '#' });
  await expect(refused).rejects.toThrow(said);
});
