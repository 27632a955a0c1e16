import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/index.ts';
import { approvalAskedFor, callApproved } from '../approved-calls.ts';
import { CHAT } from '../doubles/arm/connectors/chat.ts';
import { MAIL } from '../doubles/arm/connectors/mail.ts';
import { type Office, type OfficeOptions, openOffice, textOf } from './support/office.ts';

const PROXIES = ['mail_http_request', 'chat_http_request'];
const IDS = ['mail.HttpRequest', 'chat.HttpRequest', 'HttpRequest', 'office/mail.HttpRequest'];
const ARGUMENTS: JsonObject = { Uri: 'https://graph.example/v1.0/me', Method: 'DELETE' };

const office = (more: OfficeOptions = {}) =>
  openOffice({
    ...more,
    arm: {
      connectors: [MAIL, CHAT],
      connections: [
        { name: 'mail', api: 'mail' },
        { name: 'chat', api: 'chat' },
      ],
    },
  });
const invoked = ({ arm }: Office) => arm.requests.filter(({ path }) => path.endsWith('/dynamicInvoke'));

describe('a raw proxy of a connector', () => {
  it.each(['flat', 'base', 'search', 'hybrid', 'categories', 'auto', 'discover', 'capped'] as const)(
    'is listed in no topology: %s',
    async (topology) => {
      const one = await office();
      for (const { name } of one.gateway.surface(topology).tools) expect(PROXIES).not.toContain(name);
    },
  );

  it('is in the report, with why', async () => {
    const { gateway } = await office();
    const skipped = gateway
      .view()
      .catalog.skipped.filter(({ operation }) => operation?.endsWith('.HttpRequest'));
    expect(skipped).toHaveLength(2);
    for (const { reason } of skipped) expect(reason).toContain('dangerous');
  });

  it('is found by no search', async () => {
    const one = await office({ azure: { maxToolsPerApi: 2 } });
    const hits = await one.gateway.search({ text: 'send an HTTP request', limit: 50 });
    expect(hits.length).toBeGreaterThan(0);
    expect(hits.filter(({ operation }) => JSON.stringify(operation).includes('HttpRequest'))).toEqual([]);
    for (const finder of ['mail_discover', 'chat_discover']) {
      const found = textOf(await one.call(finder, { query: 'HttpRequest send an HTTP request' }));
      expect(found).not.toContain('http_request');
      const described = await one.call(finder, { operation: finder.replace('discover', 'http_request') });
      expect(described.error?.code).toBe('operation_unknown');
    }
    expect(textOf(await one.call('list_dynamic_tools'))).not.toContain('HttpRequest');
  });

  it.each([...PROXIES, ...IDS])('is called by no name: %s', async (tool) => {
    const one = await office({ azure: { maxToolsPerApi: 2 } });
    await expect(one.gateway.call({ tool, arguments: ARGUMENTS })).rejects.toMatchObject({
      code: 'tool_unknown',
    });
    const called = await one.call('call_tool', { name: tool, arguments: ARGUMENTS });
    expect(called.error?.code).toBe('operation_unknown');
    const places = await one.call('call_tool', {
      name: 'POST /codeless/httprequest',
      arguments: ARGUMENTS,
    });
    expect(places.error).toBeDefined();
    const options = await one.call('get_parameter_options', { tool });
    expect(options.error?.code).toBe('tool_unknown');
    expect(invoked(one)).toEqual([]);
  });

  it('stays so whatever a rule of its method or path says', async () => {
    const one = await office({
      source: {
        access: [
          { method: 'POST', access: 'write' },
          { path: '/codeless/*', access: 'read' },
        ],
      },
    });
    expect(one.names().filter((name) => PROXIES.includes(name))).toEqual([]);
    expect(one.gateway.diagnostics().map(({ code }) => code)).toContain('access-rule-refused');
  });

  it('is a tool only where the operator names it; then a person agrees to every call', async () => {
    const one = await office({ source: { access: [{ operation: 'mail.HttpRequest', access: 'delete' }] } });
    expect(one.names()).toContain('mail_http_request');
    expect(one.names()).not.toContain('chat_http_request');
    const request = { tool: 'mail_http_request', arguments: ARGUMENTS };
    expect(approvalAskedFor(await one.call(request.tool, request.arguments))).toBeDefined();
    expect(invoked(one)).toEqual([]);
    expect(await callApproved(one.gateway, request)).not.toHaveProperty('error');
    expect(one.arm.invocations).toMatchObject([{ operationId: 'HttpRequest', problems: [] }]);
    expect(approvalAskedFor(await one.call(request.tool, request.arguments))).toBeDefined();
  });
});
