import { isSpecType } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/operations/index.ts';
import { promptAnswer, resourceAnswer, toolAnswer } from '../../src/upstreams/answers.ts';

const PNG = 'iVBORw0KGgo=';
const link = { type: 'resource_link', uri: 'mem://a', name: 'a' };
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const said = { type: 'text', text: 'said' };
const nothing = { annotations: null, _meta: null };
const file = { uri: 'mem://a', text: 'said' };

test.each<[string, JsonObject, JsonObject]>([
  ['null in place of nothing, of a text', { ...said, ...nothing }, said],
  ['null in place of nothing, of a picture', { ...image, ...nothing }, image],
  [
    'null in place of nothing, of a link',
    { ...link, ...nothing, title: null, description: null, mimeType: null, size: null, icons: null },
    link,
  ],
  [
    'null in place of nothing, of a resource',
    { type: 'resource', resource: { ...file, mimeType: null, blob: null, _meta: null }, ...nothing },
    { type: 'resource', resource: file },
  ],
  ['a priority beyond its scale', { ...said, annotations: { priority: 5 } }, said],
  [
    'one annotation among others that fits',
    { ...said, annotations: { priority: 0.5, audience: 'user', lastModified: '2026-01-01' } },
    { ...said, annotations: { priority: 0.5 } },
  ],
  ['an audience that nobody knows', { ...said, annotations: { audience: ['system'] } }, said],
  ['an instant without its offset', { ...said, annotations: { lastModified: '2026-01-01T10:00:00' } }, said],
  ['a size in digits', { ...link, size: '12' }, link],
  [
    'the sizes of an icon as one text',
    { ...link, icons: [{ src: 'https://e.example/i.png', sizes: '48x48' }, { mimeType: 'image/png' }] },
    { ...link, icons: [{ src: 'https://e.example/i.png' }] },
  ],
  ...[
    'javascript:alert(1)',
    'JaVa\nscript:alert(1)',
    'file:///etc/passwd',
    'ws://e.example/i.png',
    'http://e.example/i.png',
    'vscode://extension/i.png',
    'data:text/html,<script>alert(1)</script>',
    'i.png',
  ].map((src): [string, JsonObject, JsonObject] => [
    `an icon at ${src}`,
    { ...link, icons: [{ src }, { src: 'DATA:image/png;base64,AA==' }] },
    { ...link, icons: [{ src: 'DATA:image/png;base64,AA==' }] },
  ]),
  ['a data URL as bytes', { ...image, data: `data:image/png;base64,${PNG}` }, image],
  ['base64 of addresses', { ...image, data: '_-8=' }, { ...image, data: '/+8=' }],
])('a block with %s is one of MCP, and keeps its content', (_what, given, expected) => {
  const [block] = toolAnswer({ content: [given] }).content;
  expect(block).toEqual(expected);
  expect(isSpecType.ContentBlock(block)).toBe(true);
  expect(promptAnswer({ messages: [{ role: 'user', content: given }] }).messages[0]?.content).toEqual(
    expected,
  );
});

test.each<[string, Json]>([
  ['a picture whose data is an address', { ...image, data: 'https://e.example/i.png' }],
  ['a resource whose bytes are none', { type: 'resource', resource: { uri: 'mem://a', blob: 'no base64!' } }],
  ['a picture of no type', { type: 'image', data: PNG }],
  ['a kind that nobody knows', { type: 'hologram', data: 'x' }],
])('%s is passed on as text', (_what, given) => {
  expect(toolAnswer({ content: [given] }).content).toEqual([{ type: 'text', text: JSON.stringify(given) }]);
});

test.each<[string, JsonObject]>([
  [
    'everything that MCP lets stand beside a text',
    {
      ...said,
      annotations: {
        audience: ['user', 'assistant'],
        priority: 0,
        lastModified: '2026-01-01T00:00:00.5+01:00',
      },
      _meta: { 'e.example/k': null },
    },
  ],
  ['base64 in lines', { ...image, data: 'iVBO\nRw0K\nGgo=' }],
  ['base64 without its end', { ...image, data: 'iVBORw0KGgo' }],
  [
    'a link with all that it may say',
    {
      ...link,
      title: 'A',
      description: 'd',
      mimeType: 'text/plain',
      size: 3,
      icons: [{ src: 'https://e.example/i.png', mimeType: 'image/png', sizes: ['any'], theme: 'dark' }],
    },
  ],
])('%s stays as it is', (_what, given) => {
  expect(toolAnswer({ content: [given] }).content).toEqual([given]);
  expect(isSpecType.ContentBlock(given)).toBe(true);
});

test('contents of a resource without their type, or with null for it, can be read; bytes that are none cannot', () => {
  const contents = [
    { ...file, mimeType: null },
    { uri: 'mem://b', blob: '_-8=', text: null },
  ];
  expect(resourceAnswer({ contents })).toEqual({ contents: [file, { uri: 'mem://b', blob: '/+8=' }] });
  expect(() => resourceAnswer({ contents: [{ uri: 'mem://b', blob: 'no base64!' }] })).toThrow(
    'its contents cannot be read',
  );
});
