import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callApproved } from '../../approved-calls.ts';
import {
  jsonOf,
  type Office,
  type OfficeOptions,
  openOffice,
  textOf,
} from '../../azure-seed/support/office.ts';
import { body, inQuery, object, ok, operation, text } from '../../doubles/arm/connectors/writing.ts';
import { connected, envelopes, hostile } from './support/hostile-connector.ts';

const LISTS = ok(object({ value: { type: 'array', items: object({ id: text('Id') }) } }));
const choiceOf = (operationId: string) => ({
  'x-ms-dynamic-values': { operationId, 'value-collection': 'value', 'value-path': 'id' },
});
const BOX = hostile('box', {
  '/{connectionId}/it': {
    get: operation('Look', 'Look', [
      inQuery('kind', choiceOf('GetKinds')),
      inQuery('who', choiceOf('OnboardAll')),
    ]),
    post: operation('Act', 'Act', []),
    put: operation('Set', 'Set', []),
    patch: operation('Alter', 'Alter', []),
    delete: operation('Remove', 'Remove', []),
  },
  '/{connectionId}/kinds': {
    post: operation('GetKinds', 'Kinds', [], { 'x-ms-visibility': 'internal', responses: LISTS }),
  },
  '/{connectionId}/all': {
    post: operation('OnboardAll', 'All', [], { 'x-ms-visibility': 'internal', responses: LISTS }),
  },
  '/{connectionId}/schema': {
    get: operation('GetSchema', 'Schema', [], {
      'x-ms-visibility': 'internal',
      responses: ok({ type: 'object' }),
    }),
  },
  '/{connectionId}/shaped': {
    post: operation('Shape', 'Shape', [
      body(
        object({
          item: {
            type: 'object',
            'x-ms-dynamic-schema': { operationId: 'GetSchema', 'value-path': 'schema' },
          },
        }),
      ),
    ]),
  },
});

const open = (more: OfficeOptions = {}): Promise<Office> =>
  openOffice({ arm: { connectors: [BOX], connections: [connected('box')] }, ...more });

const invoking = ({ path }: { readonly path: string }) => path.endsWith('/dynamicInvoke');

describe('a write that may have happened', () => {
  const ENDS = [
    ['ARM answers 500', { status: 500 }],
    ['ARM answers 502', { status: 502 }],
    ['ARM answers 503 with a time', { status: 503, headers: { 'retry-after': '0' } }],
    ['ARM answers 504', { status: 504 }],
    ['the connection is dropped', 'drop'],
    ['the connector answers 500', { status: 200, body: { response: { statusCode: 'InternalServerError' } } }],
    ['the connector answers 503', { status: 200, body: { response: { statusCode: 503 } } }],
    ['the status is no word of anybody', { status: 200, body: { response: { statusCode: 'Splendid' } } }],
  ] as const;

  for (const tool of ['box_act', 'box_set', 'box_alter', 'box_remove']) {
    it.each(ENDS)(`${tool} is sent once where %s`, async (_, plan) => {
      const office = await open();
      office.arm.interrupt({ when: invoking, times: 'always', plan });
      const result = await callApproved(office.gateway, { tool, arguments: {} });
      expect(envelopes(office.arm)).toHaveLength(1);
      expect(result).toMatchObject({
        error: { code: expect.stringMatching(/upstream_status|outcome_unknown/) },
      });
      expect(textOf(result as never)).toMatch(/may have happened|not known/);
    });
  }

  it('and whose answer is nested deeper than the stack is not called a fault of ours', async () => {
    const office = await open();
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    office.arm.interrupt({
      when: invoking,
      plan: { status: 200, headers: JSON_TYPE, body: `{"response":{"statusCode":"OK","body":${nested}}}` },
    });
    // Node 26 takes it apart, and its body is text
    expect(['outcome_unknown', undefined]).toContain((await office.call('box_act')).error?.code);
  });
});

const JSON_TYPE = { 'content-type': 'application/json' };

describe('a failure that is dressed as a success', () => {
  it('a long number and deep nesting do not hide the status', async () => {
    const office = await open();
    const nested = `${'['.repeat(4_000)}${']'.repeat(4_000)}`;
    const inner = `{"n":12345678901234567890,"d":${nested}}`;
    office.arm.interrupt({
      when: invoking,
      plan: {
        status: 200,
        headers: JSON_TYPE,
        body: `{"response":{"statusCode":"NotFound","body":${inner}}}`,
      },
    });
    expect((await office.call('box_look')).error).toMatchObject({ code: 'upstream_status', status: 404 });
  });

  it('the refusal of the runtime without its envelope is one', async () => {
    const office = await open();
    office.arm.interrupt({
      when: invoking,
      plan: { status: 200, body: { statusCode: 404, message: 'Resource not found' } },
    });
    const { error, content } = await office.call('box_look');
    expect(error).toMatchObject({ code: 'upstream_status', status: 404 });
    expect(textOf({ content })).toContain('Resource not found');
  });
});

describe('a redirect of Azure', () => {
  it.each([301, 302, 307, 308])(
    '%i takes neither the token nor what a call says elsewhere',
    async (status) => {
      const heard: string[] = [];
      const elsewhere = createServer((request, response) => {
        heard.push(`${request.method} ${request.url}`);
        response.writeHead(200, JSON_TYPE).end('{"response":{"statusCode":"OK","body":{}}}');
      });
      await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void elsewhere.close());
      const origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
      const office = await open({ configuration: { egress: { allow: [origin] } } });
      office.arm.interrupt({
        when: invoking,
        times: 'always',
        plan: { status, headers: { location: `${origin}/taken` } },
      });
      for (const tool of ['box_look', 'box_act']) {
        expect((await office.call(tool)).error?.code).toMatch(/^(?:upstream_failed|outcome_unknown)$/);
      }
      expect(heard).toEqual([]);
    },
  );
});

describe('helpers', () => {
  it('one that may change something is not asked, whatever its name begins with', async () => {
    const office = await open();
    const { parameters } = jsonOf(await office.call('get_parameter_options', { tool: 'box_look' }));
    expect(parameters).toMatchObject([
      { argument: '/kind', options: expect.anything() },
      { argument: '/who', problem: expect.stringContaining('it may change something') },
    ]);
    expect(envelopes(office.arm).map(({ path }) => path)).toEqual(['/kinds']);
  });

  it('a schema inside itself, several times over, ends', async () => {
    const office = await open();
    const inside = Object.fromEntries(
      Array.from({ length: 6 }, (_, index) => [`p${index}`, { $ref: '#/definitions/node' }]),
    );
    const node = { type: 'object', properties: inside };
    office.arm.script('box.GetSchema', { body: { schema: { ...node, definitions: { node } } } });
    const { parameters } = jsonOf(
      await office.call('get_parameter_options', { tool: 'box_shape', parameter: 'item' }),
    );
    expect(parameters[0].schema.properties.p0).toEqual({
      type: 'object',
      properties: { p0: {}, p1: {}, p2: {}, p3: {}, p4: {}, p5: {} },
    });
    expect((await office.call('box_shape', { item: { p0: { p1: { p2: 1 } } } })).error).toBeUndefined();
  });

  it('a schema whose references double at each level ends', async () => {
    const office = await open();
    const definitions = Object.fromEntries(
      Array.from({ length: 14 }, (_, level) => [
        `d${level}`,
        {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: 5 }, (_, at) => [`p${at}`, { $ref: `#/definitions/d${level + 1}` }]),
          ),
        },
      ]),
    );
    office.arm.script('box.GetSchema', {
      body: { schema: { type: 'object', properties: { top: { $ref: '#/definitions/d0' } }, definitions } },
    });
    const { error, content } = await office.call('get_parameter_options', {
      tool: 'box_shape',
      parameter: 'item',
    });
    expect(error).toBeUndefined();
    expect(textOf({ content }).length).toBeGreaterThan(100);
  });
});
