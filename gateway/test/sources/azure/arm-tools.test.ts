import { describe, expect, it } from 'vitest';
import { ARM_TOOLS } from '../../../src/operations/index.ts';
import { armTools } from '../../../src/sources/azure/arm-tools.ts';
import { createValidator } from '../../../src/validation/validator.ts';

const tools = Object.fromEntries(armTools('office').map((one) => [one.id, one]));

describe('the own tools of a resource group', () => {
  it('are those of the list, each with its name and kind', () => {
    expect(armTools('office').map(({ id }) => id)).toEqual([...ARM_TOOLS]);
    for (const [id, tool] of Object.entries(tools)) {
      expect(tool).toMatchObject({ name: id, source: 'office', invocation: { kind: 'arm', tool: id } });
      expect(tool.input).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.description).toMatch(/^[A-Z].*\.$/s);
    }
  });

  it('begin with the texts that are required', () => {
    expect(tools.put_connection!.description).toMatch(
      /^Create or update an API connection in the resource group\./,
    );
    expect(tools.list_dynamic_tools!.description).toBe(
      'List all dynamically registered tools from connected APIs.',
    );
    expect(tools.refresh_tools!.description).toMatch(
      /^Refresh dynamic tools by re-scanning connections and their schemas\./,
    );
  });

  it('say what they do to the resource group', () => {
    const access = Object.fromEntries(Object.values(tools).map((one) => [one.id, one.access]));
    expect(access).toEqual({
      list_managed_apis: 'read',
      list_connections: 'read',
      get_connection: 'read',
      put_connection: 'write',
      delete_connection: 'delete',
      get_consent_link: 'write',
      get_parameter_options: 'read',
      list_dynamic_tools: 'read',
      refresh_tools: 'read',
    });
    expect(tools.delete_connection!.safety).toMatchObject({ destructive: true });
    expect(tools.get_connection!.confirmation).toBeDefined();
    expect(tools.get_consent_link!.safety.idempotent).toBe(true);
  });

  it('mark what may hold secrets', () => {
    expect(tools.put_connection!.input.properties).toMatchObject({
      parameterValues: { writeOnly: true },
      body: { writeOnly: true },
    });
  });

  it.each<[string, object, boolean]>([
    ['put_connection', { apiName: 'slack' }, true],
    ['put_connection', { connectionName: 'slack', body: { location: 'westus', properties: {} } }, true],
    [
      'put_connection',
      { apiName: 'x', parameterValues: { api_key: 's' }, displayName: 'X', location: 'eu' },
      true,
    ],
    ['put_connection', { api: 'slack' }, false],
    ['delete_connection', {}, false],
    ['delete_connection', { connectionName: 'a' }, true],
    ['list_managed_apis', { limit: 0 }, false],
    ['list_managed_apis', { search: 'mail', location: 'westeurope', limit: 5 }, true],
    ['get_parameter_options', { tool: 't' }, true],
    [
      'get_parameter_options',
      { tool: 't', parameter: '/body/x', arguments: { a: 1 }, parent: { Id: 1 } },
      true,
    ],
    ['get_parameter_options', { parameter: 'x' }, false],
    ['refresh_tools', {}, true],
    ['list_connections', { extra: 1 }, false],
  ])('%s %j', (tool, args, valid) => {
    expect(createValidator().validate(tools[tool]!.input, args).valid).toBe(valid);
  });
});
