import { describe, expect, it } from 'vitest';
import { buildCatalog, type CatalogPart, definitionOf } from '../../src/catalog/build.ts';
import { changesBetween } from '../../src/catalog/changes.ts';
import type { AzureInvocation, Operation } from '../../src/operations/index.ts';
import { catalogPart, compiledSource, plainOperation } from './compiled-source.ts';

const MARK = ' ⚠️ Connection not authenticated';

function connectorOperation(id: string, connection: string): Operation {
  const invocation: AzureInvocation = {
    kind: 'azure',
    connection,
    api: 'mail',
    operationId: id,
    method: 'GET',
    path: `/${id}`,
    bindings: [],
    accept: [],
  };
  return { ...plainOperation(id, 'office'), description: `[Mail] Does ${id}\n\nIn detail.`, invocation };
}

const compiled = compiledSource('office', [
  connectorOperation('mail_send', 'mail'),
  connectorOperation('mail_work_send', 'work'),
  plainOperation('list_connections', 'office'),
]);
const catalogWith = (marks?: CatalogPart['marks']) =>
  buildCatalog([{ ...catalogPart(compiled), ...(marks === undefined ? {} : { marks }) }], 'test');

describe('marks of connections', () => {
  const plain = catalogWith();
  const marked = catalogWith({ work: MARK });

  it('end the first line of the descriptions of their operations, and of no others', () => {
    const said = marked.entries.map(({ name, tool }) => [name, tool.description]);
    expect(said).toEqual([
      ['list_connections', 'Does list_connections.'],
      ['mail_send', '[Mail] Does mail_send\n\nIn detail.'],
      ['mail_work_send', `[Mail] Does mail_work_send${MARK}\n\nIn detail.`],
    ]);
    const entry = marked.byTool('mail_work_send')!;
    expect(JSON.parse(entry.json!())).toEqual(entry.tool);
  });

  it('take the mark as it is written', () => {
    const odd = catalogWith({ work: ' $& $1' }).byTool('mail_work_send')!;
    expect(odd.tool.description).toBe('[Mail] Does mail_work_send $& $1\n\nIn detail.');
  });

  it('change no definition that the lock holds', () => {
    const [before, after] = [plain, marked].map((catalog) => catalog.byTool('mail_work_send')!);
    expect(after!.hash).toBe(before!.hash);
    expect(definitionOf(after!)).toEqual(definitionOf(before!));
  });

  it('are told to clients when they come and when they go', () => {
    expect(changesBetween(plain, marked).changed).toEqual(['mail_work_send']);
    expect(changesBetween(marked, plain).changed).toEqual(['mail_work_send']);
    expect(changesBetween(marked, catalogWith({ work: MARK })).any).toBe(false);
  });

  it('of a name that every object has are none', () => {
    const operation = connectorOperation('x', 'constructor');
    const part = { ...catalogPart(compiledSource('office', [operation])), marks: {} };
    expect(buildCatalog([part], 'test').byTool('x')!.tool.description).not.toContain('function');
  });
});

describe('tools that come while we run', () => {
  it('take no name from those of other sources, wherever their source stands', () => {
    const connectors = compiledSource('office', [connectorOperation('chat_post', 'chat')]);
    const described = compiledSource('api', [plainOperation('chat_post', 'api')]);
    const catalog = buildCatalog(
      [{ ...catalogPart(connectors), yields: true }, catalogPart(described)],
      'test',
    );
    expect(catalog.byTool('chat_post')!.source).toBe('api');
    expect(catalog.diagnostics).toMatchObject([{ code: 'tool-shadowed', source: 'office' }]);
    expect(catalog.sources.map(({ name }) => name)).toEqual(['office', 'api']);
  });
});
