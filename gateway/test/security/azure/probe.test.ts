import { expect, it } from 'vitest';
import { readdir, writeFile, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { body, connectorDocument, inPath, inQuery, object, ok, operation, ref, text } from '../../doubles/arm/connectors/writing.ts';
import { openArm, openOffice, textOf, jsonOf } from '../../azure-seed/support/office.ts';
import { plain } from '../../azure-seed/support/connectors.ts';
import { ranked } from '../../azure-seed/support/connectors.ts';

const api = (name: string, paths: any, more: any = {}) => ({ name, displayName: name, swagger: connectorDocument(name, name, 'x', { paths, ...more }) });

it.skip('shadow', async () => {
  const o = await openOffice({ arm: { connectors: [plain('list', 'Connections', 'ManagedApis'), plain('put', 'Connection'), plain('refresh', 'Tools')], connections: [{name:'list',api:'list'},{name:'put',api:'put'},{name:'refresh',api:'refresh'}] } });
  console.log('NAMES', o.names());
  const r = await o.call('list_connections');
  console.log(textOf(r).slice(0, 300));
});
it.skip('ids', async () => {
  const o = await openOffice({ arm: { connectors: [plain('x', 'b.Get'), plain('y', 'Get')], connections: [{name:'a',api:'x'},{name:'a.b',api:'y'}] } });
  console.log('IDS', o.gateway.view().tools.map((t: any) => [t.name, t.operation]));
  for (const n of o.names().filter((n) => n.includes('get') && n.startsWith('x_') || n.startsWith('y_'))) { const r = await o.call(n); console.log(n, textOf(r)); }
  console.log(o.arm.invocations.map((i) => [i.connection, i.operationId]));
});
it('enum bomb', async () => {
  const values = Array.from({ length: 20000 }, (_, i) => ({ value: `v${i}`, displayName: `Value number ${i}` }));
  const t = performance.now();
  const o = await openOffice({ arm: { connectors: [api('bomb', { '/{connectionId}/a': { get: operation('A', 'a', [inQuery('e', { 'x-ms-enum-values': values })]) } })], connections: [{ name: 'bomb', api: 'bomb' }] } });
  console.log('ENUM ms', performance.now() - t, o.names().length);
}, 120000);
it('schema bomb', async () => {
  const o = await openOffice({ arm: { connectors: [api('dyn', {
    '/{connectionId}/s': { get: operation('GetSchema', 's', [], { 'x-ms-visibility': 'internal', responses: ok({ type: 'object' }) }) },
    '/{connectionId}/a': { post: operation('A', 'a', [body(object({ item: { type: 'object', 'x-ms-dynamic-schema': { operationId: 'GetSchema', 'value-path': 'schema' } } }))]) } })], connections: [{ name: 'dyn', api: 'dyn' }] } });
  const props = Object.fromEntries(['a','b','c'].map((k) => [k, { $ref: '#/definitions/n' }]));
  o.arm.script('dyn.GetSchema', { body: { schema: { type: 'object', properties: props, definitions: { n: { type: 'object', properties: props } } } } });
  const t = performance.now();
  const r = await o.call('get_parameter_options', { tool: 'dyn_a', parameter: 'item' }).catch((e) => ({ content: [{ type: 'text', text: String(e) }] } as any));
  console.log('SCHEMA ms', performance.now() - t, textOf(r).length, textOf(r).slice(0, 200));
}, 200000);
it('truncated', async () => {
  const o = await openOffice({ arm: { connectors: [plain('m', 'Get')], connections: [{ name: 'm', api: 'm' }] } });
  console.log(o.names().filter((n) => n.startsWith('m_')));
  await o.stop();
  const { globSync } = await import('node:fs');
  const files = globSync(join(o.folder, 'state/azure/*/*.json')).filter((f) => !f.endsWith('snapshot.json'));
  console.log(files.length);
  for (const f of files) await truncate(f, 10);
  const again = await o.again();
  console.log('after', again.names().filter((n) => n.startsWith('m_')));
  console.log(textOf(await again.call('refresh_tools')));
  console.log('after refresh', again.names().filter((n) => n.startsWith('m_')));
});
it('deep', async () => {
  const o = await openOffice({ arm: { connectors: [plain('m', 'Get'), api('w', { '/{connectionId}/a': { post: operation('A', 'a', []) } })], connections: [{ name: 'm', api: 'm' }, { name: 'w', api: 'w' }] } });
  const deep = '['.repeat(100000) + ']'.repeat(100000);
  for (const tool of ['m_get', 'w_a']) {
    o.arm.interrupt({ when: ({ path }) => path.endsWith('dynamicInvoke'), plan: { status: 200, headers: { 'content-type': 'application/json' }, body: `{"response":{"statusCode":"OK","body":${deep}}}` } as any });
    const r = await o.call(tool);
    console.log('DEEP', tool, JSON.stringify(r.error), textOf(r).slice(0, 200));
    o.arm.interrupt({ when: ({ path }) => path.endsWith('dynamicInvoke'), plan: { status: 200, headers: { 'content-type': 'application/json' }, body: `{"response":{"statusCode":"OK","body":{"n":12345678901234567890,"d":${deep}}}}` } as any });
    const r2 = await o.call(tool);
    console.log('DEEP2', tool, JSON.stringify(r2.error), textOf(r2).slice(0, 200));
  }
});
