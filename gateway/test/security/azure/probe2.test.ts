import { expect, it } from 'vitest';
import { body, connectorDocument, inPath, inQuery, object, ok, operation, ref, text } from '../../doubles/arm/connectors/writing.ts';
import { openArm, openOffice, textOf, jsonOf } from '../../azure-seed/support/office.ts';
import { plain } from '../../azure-seed/support/connectors.ts';
const api = (name: string, paths: any, more: any = {}) => ({ name, displayName: name, swagger: connectorDocument(name, name, 'x', { paths, ...more }) });
const open = async (label: string, connector: any) => {
  const t = performance.now();
  let last = performance.now(), worst = 0;
  const timer = setInterval(() => { const n = performance.now(); worst = Math.max(worst, n - last); last = n; }, 5);
  const o = await openOffice({ arm: { connectors: [connector], connections: [{ name: connector.name, api: connector.name }] } });
  clearInterval(timer);
  console.log(label, 'ms', Math.round(performance.now() - t), 'worst block', Math.round(worst), 'tools', o.names().length, 'rss', Math.round(process.memoryUsage().rss / 1e6), JSON.stringify(o.gateway.report?.()?.diagnostics?.slice?.(0,3) ?? '').slice(0, 300));
  return o;
};
it('members', async () => {
  const dyn = (i: number) => ({ type: 'string', 'x-ms-dynamic-values': { operationId: 'H', 'value-path': 'id', parameters: { p: { parameter: `f${i}` } } } });
  const big = object(Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`f${i}`, dyn((i + 7) % 1500)])));
  await open('MEMBERS', api('bomb', { '/{connectionId}/h': { get: operation('H', 'h', [inQuery('p')], { responses: ok() }) }, ...Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`/{connectionId}/a${i}`, { post: operation(`A${i}`, 'a', [body({ $ref: '#/definitions/big' })]) }])) }, { definitions: { big } }));
}, 120000);
it.skip('ops', async () => {
  await open('OPS', api('bomb', Object.fromEntries(Array.from({ length: 20000 }, (_, i) => [`/{connectionId}/a${i}`, { get: operation(`A${i}`, 'a', [inQuery('x')]) }]))));
}, 120000);
it.skip('deep', async () => {
  let s: any = { type: 'string' };
  for (let i = 0; i < 3000; i++) s = { type: 'object', properties: { a: s } };
  await open('DEEPSCHEMA', api('bomb', { '/{connectionId}/a': { post: operation('A', 'a', [body(s)], { responses: ok(s) }) }, '/{connectionId}/b': { get: operation('B', 'b', []) } }));
}, 120000);
it.skip('allOf', async () => {
  const defs: any = {};
  for (let i = 0; i < 25; i++) defs[`d${i}`] = { allOf: [{ $ref: `#/definitions/d${i + 1}` }, { $ref: `#/definitions/d${i + 1}` }], properties: { [`p${i}`]: { $ref: `#/definitions/d${i+1}` }, [`q${i}`]: { $ref: `#/definitions/d${i+1}` } } };
  defs.d25 = { type: 'object', properties: { x: { type: 'string', 'x-ms-dynamic-values': { operationId: 'H', 'value-path': 'id', parameters: {} } } } };
  await open('ALLOF', api('bomb', { '/{connectionId}/h': { get: operation('H', 'h', []) }, '/{connectionId}/a': { post: operation('A', 'a', [body({ $ref: '#/definitions/d0' })], { responses: ok({ $ref: '#/definitions/d0' }) }) } }, { definitions: defs }));
}, 120000);
it.skip('regex', async () => {
  const o = await open('REGEX', api('bomb', { '/{connectionId}/a': { get: operation('A', 'a', [inQuery('x', { pattern: '^(a+)+$' })]) } }));
  const t = performance.now();
  const r = await o.call('bomb_a', { x: 'a'.repeat(40) + '!' });
  console.log('REGEX call', performance.now() - t, textOf(r).slice(0, 100));
}, 120000);
it.skip('enum', async () => {
  await open('ENUMS', api('bomb', { '/{connectionId}/a': { get: operation('A', 'a', [inQuery('e', { enum: Array.from({ length: 300000 }, (_, i) => `v${i}`) })]) } }));
}, 120000);
it('deepanswer', async () => {
  const o = await openOffice({ arm: { connectors: [plain('m', 'Get'), api('w', { '/{connectionId}/a': { post: operation('A', 'a', []) } })], connections: [{ name: 'm', api: 'm' }, { name: 'w', api: 'w' }] } });
  for (const depth of [500, 2000, 4000, 6000, 100000]) {
  const deep = '['.repeat(depth) + ']'.repeat(depth);
  for (const tool of ['m_get', 'w_a']) for (const n of ['1', '12345678901234567890']) {
    o.arm.interrupt({ when: ({ path }) => path.endsWith('dynamicInvoke'), plan: { status: 200, headers: { 'content-type': 'application/json' }, body: `{"response":{"statusCode":"OK","body":{"n":${n},"d":${deep}}}}` } as any });
    const r = await o.call(tool);
    console.log('DEEP', depth, n, tool, JSON.stringify(r.error)?.slice(0,150), textOf(r).slice(0, 80));
  } }
});
