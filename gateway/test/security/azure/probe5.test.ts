import { expect, it, onTestFinished } from 'vitest';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { mkdir, writeFile, rm } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { body, connectorDocument, inPath, inQuery, object, ok, operation, ref, text } from '../../doubles/arm/connectors/writing.ts';
import { openArm, openOffice, textOf, jsonOf, temporaryFolder, consentAt } from '../../azure-seed/support/office.ts';
import { plain } from '../../azure-seed/support/connectors.ts';
const api = (name: string, paths: any, more: any = {}) => ({ name, displayName: name, swagger: connectorDocument(name, name, 'x', { paths, ...more }) });
const log = (...a: any[]) => console.log('@@', ...a.map((x) => typeof x === 'string' ? x : JSON.stringify(x)));
const w = api('w', { '/{connectionId}/a': { post: operation('Act', 'a', [inQuery('t')]), delete: operation('Remove', 'r', []), put: operation('Set', 's', []) , get: operation('Look', 'l', [])} });
it('retries', async () => {
  const fast = { limits: { timeout: '8s' } };
  for (const tool of ['w_act', 'w_set', 'w_look']) {
  for (const [label, plan] of [['500', { status: 500 }], ['502', { status: 502 }], ['503+ra', { status: 503, headers: { 'retry-after': '1' } }], ['504', { status: 504 }], ['429', { status: 429, headers: { 'retry-after': '1' } }], ['401', { status: 401 }], ['401+www', { status: 401, headers: { 'www-authenticate': 'Bearer' } }], ['drop', 'drop'], ['202', { status: 202, body: {} }], ['200 empty', { status: 200 }], ['200 html', { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>x</h1>' }], ['200 null', { status: 200, body: null }], ['response null', { status: 200, body: { response: null } }], ['no status', { status: 200, body: { response: { body: { error: 1 } } } }], ['status 0', { status: 200, body: { response: { statusCode: 0, body: {} } } }], ['status word', { status: 200, body: { response: { statusCode: 'Weird', body: {} } } }], ['inner500', { status: 200, body: { response: { statusCode: 500 } } }], ['inner429', { status: 200, body: { response: { statusCode: 'TooManyRequests', headers: { 'Retry-After': '1' } } } }], ['inner401', { status: 200, body: { response: { statusCode: 'Unauthorized' } } }], ['status in body', { status: 200, body: { statusCode: 404, message: 'x' } }], ['bare err', { status: 200, body: { error: { code: 'X', message: 'm' } } }], ['array', { status: 200, body: [1] }], ['body:response', {status:200, body:{response:'text'}}]] as any) {
    const o = await openOffice({ arm: { connectors: [w], connections: [{ name: 'w', api: 'w' }] }, source: fast });
    o.arm.interrupt({ when: ({ path }) => path.endsWith('dynamicInvoke'), times: 'always', plan });
    const t = performance.now();
    const r = await o.call(tool);
    log(tool, label, 'sent', o.arm.requests.filter(({ path }) => path.endsWith('dynamicInvoke')).length, r.error?.code ?? 'OK', Math.round(performance.now() - t), textOf(r).slice(0, 90).replace(/\n/g, ' '));
    await o.stop();
  } }
}, 280000);
for (const [era, options] of [['2025', {}], ['2026', { versionNegotiation: { mode: 'auto' } }]] as any) {
  it('approval+consent ' + era, async () => {
    const one = await openOffice({ arm: { connectors: [w], connections: [{ name: 'w', api: 'w', status: 'Error' }] }, source: { limits: { timeout: '20s' } }, configuration: { policy: { approvals: { deciders: undefined } } } } as any).catch(() => openOffice({ arm: { connectors: [w], connections: [{ name: 'w', api: 'w', status: 'Error' }] } }));
    const asked: any[] = [];
    const client = new Client({ name: 'person', version: '1' }, { ...options, capabilities: { elicitation: { url: {}, form: {} } } });
    client.setRequestHandler('elicitation/create', async ({ params }: any) => { asked.push(params.mode ?? 'form'); if (params.mode === 'url') { await consentAt(params.url); return { action: 'accept' }; } return { action: 'accept', content: { decision: 'approve' } } as any; });
    onTestFinished(() => client.close().catch(() => undefined));
    const { url } = await one.gateway.listen({ port: 0 });
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
    const r: any = await client.callTool({ name: 'w_remove', arguments: {} });
    log(era, asked, r.isError, r.content[0].text.slice(0, 200), one.arm.invocations.map((i) => [i.method, i.path]), one.arm.requests.filter(({ path }) => path.endsWith('dynamicInvoke')).length);
    const list = await (await one.gateway.approvals()).list?.({} as any);
    log(JSON.stringify(list)?.slice(0, 400));
    const r2: any = await client.callTool({ name: 'w_remove', arguments: {} });
    log(era, 'again', asked, r2.isError);
  });
}
it('state is a file', async () => {
  const folder = await temporaryFolder();
  const arm = await openArm({ connectors: [w], connections: [{ name: 'w', api: 'w' }] });
  await mkdir(join(folder, 'state'), { recursive: true });
  await writeFile(join(folder, 'state/azure'), 'x');
  const o = await openOffice({ configuration: { stateDirectory: join(folder, 'state') } }, arm);
  log(o.names());
  log(textOf(await o.call('list_dynamic_tools')));
  log(textOf(await o.call('refresh_tools').catch((e: any) => ({ content: [{ type: 'text', text: String(e) }] }))));
});
it('corrupt snapshot', async () => {
  const o = await openOffice({ arm: { connectors: [w], connections: [{ name: 'w', api: 'w' }] } });
  await o.stop();
  const [f] = globSync(join(o.folder, 'state/azure/*/snapshot.json'));
  for (const bad of ['', '{', 'null', '{"version":1,"connections":[{"name":"../x","api":"w"},{"name":"w","api":"w","displayName":5},7],"documents":{"w":"../../etc/passwd","__proto__":"x"},"problems":5}', '\u0000'.repeat(10)]) {
    await writeFile(f!, bad);
    const again = await o.again();
    log(JSON.stringify(bad).slice(0, 40), again.names().filter((n) => n.startsWith('w_')));
    await again.until(() => again.names().includes('w_act'));
    await again.stop();
  }
}, 60000);
it('two processes', async () => {
  const o = await openOffice({ arm: { connectors: [w], connections: [{ name: 'w', api: 'w' }] } });
  const p = await o.again();
  await Promise.all([o.call('refresh_tools'), p.call('refresh_tools'), o.call('refresh_tools'), p.call('refresh_tools')]);
  log('two', o.names().length, p.names().length);
});
it('concurrent puts, delete during a call', async () => {
  const arm = await openArm({ connectors: [w, plain('q', 'Get')], connections: [{ name: 'w', api: 'w' }] });
  const o = await openOffice({}, arm);
  const r = await Promise.all([o.call('put_connection', { apiName: 'q' }), o.call('put_connection', { apiName: 'q' }), o.call('put_connection', { apiName: 'q', connectionName: 'q2' })]);
  log(r.map((x) => JSON.parse(textOf(x)).dynamicTools));
  const hold = Promise.withResolvers<void>();
  arm.interrupt({ when: ({ path }) => path.endsWith('dynamicInvoke'), plan: { hold: hold.promise } });
  const c = o.call('w_act');
  arm.removeConnection('w');
  await o.call('refresh_tools');
  log(o.names().filter((n) => n.startsWith('w_')));
  hold.resolve();
  log(textOf(await c).slice(0, 200));
});
