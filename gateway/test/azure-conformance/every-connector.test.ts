import { describe, expect, it } from 'vitest';
import { assignNames } from '../../src/compiler/names.ts';
import type { AzureInvocation, HelperCall, JsonObject, Operation } from '../../src/operations/index.ts';
import { isObject, parsePointer } from '../../src/operations/index.ts';
import { compileConnector, compileHelper } from '../../src/sources/azure/compile-connector.ts';
import { readConnectorDocument } from '../../src/sources/azure/connector-document.ts';
import { operationFor } from '../../src/sources/azure/connector-operation.ts';
import { createValidator } from '../../src/validation/validator.ts';
import { readOperation } from '../sources/azure/connectors.ts';
import { connector, connectorFiles, hasConnectors, SKIPPED } from '../sources/azure/shared-connectors.ts';

type Raw = JsonObject;
const OWNER = { source: 'office', connection: 'conn', displayName: 'Conn' };

/** Read from the document alone, by other code than the one under test. */
class RawConnector {
  readonly #root: Raw;
  constructor(root: Raw) {
    this.#root = root;
  }

  resolved(node: unknown): Raw {
    let found = node as Raw;
    for (let hops = 0; hops < 20 && typeof found?.$ref === 'string'; hops++)
      found = found.$ref
        .slice(2)
        .split('/')
        .reduce<unknown>(
          (at, key) => (at as Raw)[key.replaceAll('~1', '/').replaceAll('~0', '~')],
          this.#root,
        ) as Raw;
    return found ?? {};
  }

  operation(path: string, method: string): { item: Raw; node: Raw } {
    const item = (this.#root.paths as Raw)[path] as Raw;
    return { item, node: item[method] as Raw };
  }

  *all(): Iterable<{ path: string; method: string; node: Raw }> {
    for (const [path, item] of Object.entries(this.#root.paths as Raw))
      for (const method of ['get', 'post', 'put', 'patch', 'delete'])
        if (isObject(item) && isObject(item[method])) yield { path, method, node: item[method] };
  }

  /** Later ones of a place and name replace earlier ones. */
  parameters(path: string, method: string): Raw[] {
    const { item, node } = this.operation(path, method);
    const lists = [item.parameters, node.parameters].flatMap((list) => (Array.isArray(list) ? list : []));
    const byName = new Map<string, Raw>();
    for (const one of lists) {
      const parameter = this.resolved(one);
      byName.set(parameter.in === 'body' ? 'body' : `${parameter.in} ${parameter.name}`, parameter);
    }
    return [...byName.values()];
  }
}

const visibility = (node: Raw) => node['x-ms-visibility'] ?? node['x-ms-visibilty'];

/** What must become of a parameter that is no body. */
function expectParameter(operation: Operation, parameter: Raw): void {
  const { invocation, properties, required } = readOperation(operation);
  const place = parameter.in === 'formData' ? 'body' : String(parameter.in);
  const bindings = invocation.bindings.filter((one) => one.in === place && one.name === parameter.name);
  const said = `${operation.id} ${place} ${parameter.name}`;
  const media = place === 'header' && /^(?:accept|content-type)$/i.test(String(parameter.name));
  const isInternal = visibility(parameter) === 'internal';
  const needed = parameter.required === true || place === 'path';
  if (!media && isInternal && parameter.default === undefined && !needed) {
    expect(bindings, said).toEqual([]);
    return;
  }
  expect(bindings, said).toHaveLength(1);
  const [binding] = bindings;
  if (media || (isInternal && parameter.default !== undefined)) {
    expect(binding, said).toHaveProperty('const');
    if (parameter.default !== undefined && !media) expect(binding!.const, said).toEqual(parameter.default);
  } else if (binding!.const !== undefined) {
    expect(parameter.enum, said).toEqual([binding!.const]);
  } else {
    expect(properties, said).toHaveProperty([binding!.arg!]);
    expect(required.includes(binding!.arg!), said).toBe(needed);
  }
  if (parameter['x-ms-url-encoding'] === 'double')
    expect(binding, said).toMatchObject({ encoding: 'double' });
}

/** Every member of the body is an argument, part of the one that is the whole body, a constant, or hidden. */
function expectBody(raw: RawConnector, operation: Operation, parameter: Raw): void {
  const { invocation, properties } = readOperation(operation);
  const bound = invocation.bindings.filter((one) => one.in === 'body');
  expect(bound.length, operation.id).toBeGreaterThan(0);
  const whole = bound.find((one) => one.name === '');
  const schema = raw.resolved(parameter.schema);
  for (const [name, declared] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    const property = { ...raw.resolved(declared), ...(declared as Raw) };
    if (property.readOnly === true || visibility(property) === 'internal') continue;
    const said = `${operation.id} body ${name}`;
    if (whole === undefined)
      expect(
        bound.filter((one) => one.name === name),
        said,
      ).toHaveLength(1);
    else expect(JSON.stringify(operation.input), said).toContain(JSON.stringify(name));
  }
  for (const { arg } of bound) if (arg !== undefined) expect(properties, operation.id).toHaveProperty([arg]);
}

/** The schema that a pointer into the arguments leads to; `*` enters items. */
function schemaAt(input: Raw, pointer: string): Raw | undefined {
  const definitions = isObject(input.$defs) ? input.$defs : {};
  const open = (node: unknown): Raw[] => {
    if (!isObject(node)) return [];
    const target = typeof node.$ref === 'string' ? open(definitions[node.$ref.slice(8)]) : [];
    const parts = [node.allOf, node.anyOf].flatMap((list) => (Array.isArray(list) ? list.flatMap(open) : []));
    return [node, ...target, ...parts];
  };
  let at: Raw[] = open(input);
  for (const token of parsePointer(pointer) ?? []) {
    at = at.flatMap((node) =>
      open(token === '*' ? node.items : isObject(node.properties) ? node.properties[token] : undefined),
    );
  }
  return at[0];
}

describe.skipIf(!hasConnectors)(`every connector ${hasConnectors ? '' : SKIPPED}`, () => {
  const files = connectorFiles();

  it('is there', () => {
    expect(files).toHaveLength(35);
  });

  it.each(files)(
    '$api: every operation that survives the filters compiles, and no parameter is lost',
    async ({ api, bytes }) => {
      const document = await readConnectorDocument(bytes, { api, location: api });
      const { operations, skipped } = compileConnector(document, {});
      const raw = new RawConnector(connector(api));
      const declared = [...raw.all()];
      const compiled = operations.map((one) => operationFor(one, OWNER));
      const actions = skipped.filter(({ method }) => /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(method));
      expect(compiled.length + actions.length).toBe(declared.length);
      expect(
        actions.filter(({ reason }) => !/internal|trigger|subscriptions|newer revision/.test(reason)),
      ).toEqual([]);
      const validator = createValidator();
      for (const [index, operation] of compiled.entries()) {
        const { operationId } = operations[index]!;
        const place = declared.find(({ node }) => node.operationId === operationId)!;
        const parameters = raw.parameters(place.path, place.method);
        let expected = 0;
        for (const parameter of parameters) {
          if (parameter.in === 'body') expectBody(raw, operation, parameter);
          else if (parameter.name !== 'connectionId' || parameter.in !== 'path') {
            expectParameter(operation, parameter);
            expected += 1;
          }
        }
        const { invocation } = readOperation(operation);
        const hasBody = parameters.some((one) => one.in === 'body');
        const outside = invocation.bindings.filter((one) => one.in !== 'body' || !hasBody);
        expect(outside.length, operation.id).toBeLessThanOrEqual(expected);
        expect(invocation.path, operation.id).toBe(place.path.replace(/^\/\{connectionId\}/, '') || '/');
        expect(invocation.path).not.toContain('{connectionId}');
        expect(() => validator.validate(operation.input, {}), operation.id).not.toThrow();
      }
    },
  );

  it.each(files)('$api: names are valid and unique', async ({ api, bytes }) => {
    const document = await readConnectorDocument(bytes, { api, location: api });
    const compiled = compileConnector(document, {}).operations.map((one) =>
      operationFor(one, { ...OWNER, connection: api }),
    );
    const wanted = compiled.map(({ id, name }) => ({ preferred: name!, identity: id }));
    for (const { preferred } of wanted) expect(preferred).toMatch(/^[A-Za-z0-9_-]+$/);
    const names = assignNames(wanted, undefined);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(new Set(compiled.map(({ id }) => id)).size).toBe(compiled.length);
    for (const { input } of compiled)
      for (const name of Object.keys(input.properties as Raw)) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
  });

  it.each(files)('$api: what other operations tell can be asked', async ({ api, bytes }) => {
    const document = await readConnectorDocument(bytes, { api, location: api });
    for (const template of compileConnector(document, {}).operations) {
      const operation = operationFor(template, OWNER);
      const { choices = [], shapes = [], fixed = [] } = operation.invocation as AzureInvocation;
      for (const choice of [...choices, ...shapes]) {
        expect(
          schemaAt(operation.input, choice.argument),
          `${operation.id} ${choice.argument}`,
        ).toBeDefined();
        expectCall(choice, operation);
        if ('browse' in choice && choice.browse !== undefined) expectCall(choice.browse, operation);
      }
      for (const { argument } of fixed) {
        const parent = argument.slice(0, argument.lastIndexOf('/'));
        expect(schemaAt(operation.input, parent), `${operation.id} ${argument}`).toBeDefined();
        expect(schemaAt(operation.input, argument), `${operation.id} ${argument}`).toBeUndefined();
      }
    }
    function expectCall({ operation: helperId, parameters }: HelperCall, caller: Operation): void {
      const helper = compileHelper(document, OWNER, helperId);
      expect(helper, helperId).toBeDefined();
      const { bindings } = readOperation(helper!);
      for (const [name, from] of Object.entries(parameters)) {
        expect(
          bindings.some((one) => one.name === name),
          `${caller.id} asks ${helperId} by ${name}`,
        ).toBe(true);
        if ('argument' in from)
          expect(schemaAt(caller.input, from.argument), `${caller.id} ${from.argument}`).toBeDefined();
      }
    }
  });

  it.each([
    ['office365', 43, 43],
    ['teams', 61, 31],
  ])('%s: %i operations, %i without deprecated ones', async (api, all, fresh) => {
    const { bytes } = files.find((one) => one.api === api)!;
    const document = await readConnectorDocument(bytes, { api, location: api });
    expect(compileConnector(document, {}).operations).toHaveLength(all);
    expect(compileConnector(document, { includeDeprecated: false }).operations).toHaveLength(fresh);
  });

  it('office365: names as they are required, the raw proxies dangerous', async () => {
    const document = await readConnectorDocument(files[0]!.bytes, {
      api: 'office365',
      location: 'office365',
    });
    const owner = { source: 'office', connection: 'office365', displayName: 'Office 365 Outlook' };
    const compiled = compileConnector(document, {}).operations.map((one) => operationFor(one, owner));
    const names = compiled.map(({ name }) => name);
    expect(names).toContain('office365_send_email_v2');
    expect(names).toContain('office365_v4calendar_post_item');
    expect(compiled.find(({ id }) => id === 'office365.SendEmailV2')?.description).toMatch(
      /^\[Office 365 Outlook\] Send an email \(V2\)/,
    );
    expect(compiled.filter(({ access }) => access === 'dangerous').map(({ id }) => id)).toEqual([
      'office365.HttpRequest',
      'office365.mcp_EmailsManagement',
      'office365.mcp_MeetingManagement',
      'office365.mcp_ContactsManagement',
    ]);
    const all = compiled.flatMap((one) => readOperation(one).bindings);
    expect(all.filter((one) => 'encoding' in one && one.encoding === 'double')).toHaveLength(18);
  });
});
