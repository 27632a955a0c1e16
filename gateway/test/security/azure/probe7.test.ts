import { expect, it, onTestFinished } from 'vitest';
import { body, connectorDocument, inPath, inQuery, twice, object, ok, operation, ref, text, parameter } from '../../doubles/arm/connectors/writing.ts';
import { openArm, openOffice, textOf } from '../../azure-seed/support/office.ts';
const api = (name: string, paths: any, more: any = {}) => ({ name, displayName: name, swagger: connectorDocument(name, name, 'x', { paths, ...more }) });
const log = (...a: any[]) => console.log('@@', ...a.map((x) => typeof x === 'string' ? x : JSON.stringify(x)));
it('empty', async () => {
  const o = await openOffice({ arm: { connectors: [api('m', { '/{connectionId}/{a}/{b}': { get: operation('One', 'o', [inPath('a'), inPath('b')]) }, '/{connectionId}/{+p}': { get: operation('Two', 'o', [inPath('p')]) }, '/{connectionId}/{c}': { get: operation('Three', 'o', [inPath('c')]) } })], connections: [{ name: 'm', api: 'm' }] } });
  for (const [t, a] of [['m_one', { a: '', b: 'evil.example' }], ['m_one', { a: ' ', b: 'evil' }], ['m_two', { p: '/evil.example/x' }], ['m_two', { '+p': '/evil.example/x' }], ['m_three', { c: '' }], ['m_three', { c: '/evil.example' }]] as any) {
    const before = o.arm.requests.length; const r = await o.call(t, a);
    log(t, a, r.error?.code ?? 'OK', textOf(r).slice(0, 200), o.arm.requests.slice(before).filter(({ path }) => path.endsWith('dynamicInvoke')).map((q) => JSON.parse(q.body).request.path));
  }
});
