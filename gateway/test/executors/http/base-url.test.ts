import { describe, expect, it } from 'vitest';
import { buildRequest } from '../../../src/executors/http/index.ts';
import type { Connection, ServerTemplate } from '../../../src/operations/index.ts';
import { connectionOf, operationOf, refusal } from './operation-under-test.ts';

const url = (servers: readonly ServerTemplate[], connection: Partial<Connection> = {}, path = '/pets') =>
  buildRequest(operationOf({ servers, path }), {}, connectionOf(connection)).url;
const region: ServerTemplate = {
  url: 'https://{region}.example.com/{version}',
  variables: { region: { default: 'eu', enum: ['eu', 'us'] }, version: { default: 'v1' } },
};

describe('the base URL', () => {
  it.each<[string, string]>([
    ['https://api.example.com', 'https://api.example.com/pets'],
    ['https://api.example.com/', 'https://api.example.com/pets'],
    ['https://api.example.com/v1/', 'https://api.example.com/v1/pets'],
    ['http://127.0.0.1:8080/a b', 'http://127.0.0.1:8080/a%20b/pets'],
  ])('%s leads to %s', (base, expected) => {
    expect(url([], { baseUrl: base })).toBe(expected);
  });

  it('of the connection replaces the servers', () => {
    expect(url([region], { baseUrl: 'https://proxy.example' })).toBe('https://proxy.example/pets');
  });

  it('is said as it is named, for what is relative to it', () => {
    const base = (servers: readonly ServerTemplate[], connection: Partial<Connection> = {}) =>
      buildRequest(operationOf({ servers, path: '/pets' }), {}, connectionOf(connection)).base;
    expect(base([region])).toBe('https://eu.example.com/v1');
    expect(base([region], { baseUrl: 'https://proxy.example/a/' })).toBe('https://proxy.example/a/');
  });

  it('keeps the root and a key without slash apart', () => {
    expect(url([{ url: 'https://h.example/v1' }], {}, '/')).toBe('https://h.example/v1/');
    expect(url([{ url: 'https://h.example/v1' }], {}, 'pets')).toBe('https://h.example/v1/pets');
  });

  it('takes variables from the connection, else their defaults', () => {
    expect(url([region])).toBe('https://eu.example.com/v1/pets');
    expect(url([region], { serverVariables: { region: 'us' } })).toBe('https://us.example.com/v1/pets');
  });

  it.each<[string, string, string]>([
    ['https://h.example/{base}', '/prod', 'https://h.example/prod/pets'],
    ['https://h.example/{base}', '/prod/', 'https://h.example/prod/pets'],
    ['https://h.example/{base}', '/', 'https://h.example/pets'],
    ['https://h.example/{base}', 'a//b', 'https://h.example/a//b/pets'],
    ['https://h.example/{base}/v1', '/api/', 'https://h.example/api/v1/pets'],
    ['https://h.example/{base}/v1', '', 'https://h.example/v1/pets'],
    ['https://h.example/x{base}', '/prod', 'https://h.example/x/prod/pets'],
    ['https://h.example/v1?at={base}', '/prod', 'https://h.example/v1/pets?at=/prod'],
    ['{base}/v1', 'https://h.example/', 'https://h.example/v1/pets'],
    ['https://{base}/v1', 'h.example', 'https://h.example/v1/pets'],
  ])('%s and the value %j share one slash', (template, value, expected) => {
    expect(url([{ url: template, variables: { base: { default: value } } }])).toBe(expected);
    expect(url([{ url: template }], { serverVariables: { base: value } })).toBe(expected);
  });

  it('a value is held against the enum as it is written', () => {
    const base = { default: '/prod', enum: ['/prod', '/test'] };
    const server = { url: 'https://h.example/{base}', variables: { base } };
    expect(url([server], { serverVariables: { base: '/test' } })).toBe('https://h.example/test/pets');
  });

  it.each<[string, ServerTemplate[], Partial<Connection>, RegExp]>([
    ['no server', [], {}, /--base-url/],
    ['a relative server', [{ url: '/v1' }], {}, /--base-url/],
    ['a value outside the enum', [region], { serverVariables: { region: 'mars' } }, /one of eu, us/],
    ['a variable without value', [{ url: 'https://{tenant}.example' }], {}, /serverVariables\.tenant/],
    [
      'an empty default in the host',
      [{ url: 'https://{tenant}.example/v1', variables: { tenant: { default: '' } } }],
      {},
      /serverVariables\.tenant/,
    ],
    ['another scheme', [{ url: 'ftp://h.example' }], {}, /neither http nor https/],
    [
      'a host alone',
      [{ url: 'api.example.com/v1' }],
      {},
      /lacks its scheme.*, such as https:\/\/api\.example\.com\/v1\.$/,
    ],
    [
      'a host and its port',
      [{ url: 'api.example.com:8443' }],
      {},
      /such as https:\/\/api\.example\.com:8443\.$/,
    ],
    ['this machine', [{ url: 'localhost:3000/api' }], {}, /such as http:\/\/localhost:3000\/api\.$/],
    ['a step of a path', [{ url: 'v1.0/pets' }], {}, /is not absolute: /],
    ['user information', [], { baseUrl: 'https://a:b@h.example' }, /credentials/],
    ['an inherited name', [{ url: 'https://{constructor}.example' }], {}, /constructor/],
  ])('%s is a fault of the configuration', (_, servers, connection, message) => {
    expect(() => url(servers, connection)).toThrow(refusal('configuration_invalid'));
    expect(() => url(servers, connection)).toThrow(message);
  });
});
