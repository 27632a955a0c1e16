import { expect, it, onTestFinished } from 'vitest';
import { createServer } from 'node:http';
import { body, connectorDocument, inPath, inQuery, object, ok, operation, ref, text } from '../../doubles/arm/connectors/writing.ts';
import { openArm, openOffice, textOf, jsonOf } from '../../azure-seed/support/office.ts';
import { plain } from '../../azure-seed/support/connectors.ts';
import { PERSON, approvalAskedFor } from '../../approved-calls.ts';
const api = (name: string, paths: any, more: any = {}) => ({ name, displayName: name, swagger: connectorDocument(name, name, 'x', { paths, ...more }) });
const choosy = api('c', {
  '/{connectionId}/things': { get: operation('ListThings', 'things', [], { responses: ok(object({ value: { type: 'array', items: object({ id: text('id') }) } })) }) },
  '/{connectionId}/secret': { post: operation('OnboardEveryone', 'x', [], { 'x-ms-visibility': 'internal', responses: ok(object({ value: { type: 'array', items: object({ id: text('id') }) } })) }) },
  '/{connectionId}/a': { post: operation('Act', 'a', [inQuery('t', { 'x-ms-dynamic-values': { operationId: 'ListThings', 'value-collection': 'value', 'value-path': 'id' } }), inQuery('o', { 'x-ms-dynamic-values': { operationId: 'OnboardEveryone', 'value-collection': 'value', 'value-path': 'id' } })]) },
  '/{connectionId}/g': { get: operation('Look', 'g', [inQuery('t', { 'x-ms-dynamic-values': { operationId: 'ListThings', 'value-collection': 'value', 'value-path': 'id' } }), inQuery('o', { 'x-ms-dynamic-values': { operationId: 'OnboardEveryone', 'value-collection': 'value', 'value-path': 'id' } })]) },
});
const log = (...a: any[]) => console.log('@@', ...a);
it('helpers', async () => {
  const o = await openOffice({ arm: { connectors: [choosy], connections: [{ name: 'c', api: 'c' }] }, source: { exclude: [{ operation: 'c.ListThings' }] } } as any).catch((e) => { log('ERR', e.message); return undefined as any; });
  if (!o) return;
  log(o.names());
  log('excl', textOf(await o.call('get_parameter_options', { tool: 'c_look' })));
  log(o.arm.invocations.map((i: any) => [i.method, i.path]));
});
it('read-only', async () => {
  const o = await openOffice({ arm: { connectors: [choosy], connections: [{ name: 'c', api: 'c' }] }, source: { access: ['read'] } });
  log('RO', o.names());
  for (const [t, a] of [['get_parameter_options', { tool: 'c_act' }], ['get_parameter_options', { tool: 'c.Act' }], ['put_connection', { apiName: 'c', connectionName: 'n' }], ['get_consent_link', { connectionName: 'c' }], ['c_act', {}], ['c_act', { t: 5 }]] as any) log(t, JSON.stringify(a), textOf(await o.call(t, a).catch((e: any) => ({ content: [{ type: 'text', text: String(e) }] }))).slice(0, 150));
  log(o.arm.invocations.map((i: any) => [i.method, i.path]));
});
it('off', async () => {
  const o = await openOffice({ arm: { connectors: [choosy], connections: [{ name: 'c', api: 'c' }] }, azure: { dynamicValues: 'off' } });
  log('off', textOf(await o.call('get_parameter_options', { tool: 'c_look' })).slice(0, 200));
});
it('secretmanager', async () => {
  const arm = await openArm({ connectors: [choosy], connections: [{ name: 'c', api: 'c' }] });
  const o = await openOffice({}, arm);
  const putOver = (extra: any) => arm.interrupt({ when: ({ method }) => method === 'PUT', plan: { status: 200, body: { ...arm.connection('c'), properties: { ...(arm.connection('c') as any).properties, ...extra } } } as any });
  putOver({ parameterValues: { k: 'PVSECRET' }, parameterValueSet: { name: 's', values: { key: { value: 'SETSECRET' } } }, customParameterValues: { x: 'CUSTOMSECRET' } });
  const r = await o.call('put_connection', { connectionName: 'c', body: { location: 'westus', properties: { api: { id: '/x' }, parameterValueSet: { name: 's', values: { key: { value: 'SETSECRET' } } } } } });
  log('PUT', ['PVSECRET', 'SETSECRET', 'CUSTOMSECRET'].filter((s) => JSON.stringify(r).includes(s)));
  const dry = await o.call('put_connection', { connectionName: 'c', body: { location: 'westus', properties: { displayName: 'x', parameterValueSet: { values: { key: { value: 'SETSECRET' } } }, ParameterValues: { k: 'CASESECRET' }, alternativeParameterValues: { k: 'ALTSECRET' }, nonSecretParameterValues: { k: 'v' }, connectionString: 'RAWSECRET' } } }, { dryRun: true });
  log('DRY', textOf(dry));
});
it('case', async () => {
  const o = await openOffice({ arm: { connectors: [plain('c', 'Get')], connections: [{ name: 'c', api: 'c' }] } });
  log('before', o.names().filter((n) => n.startsWith('c_')));
  log(textOf(await o.call('put_connection', { apiName: 'c', connectionName: 'C' })).slice(-200));
  log('after', o.names().filter((n) => n.startsWith('c_')));
});
it('caseconf', async () => {
  const o = await openOffice({ arm: { connectors: [plain('c', 'Get')], connections: [{ name: 'c', api: 'c' }] }, azure: { connections: ['C'] } });
  log('conf', o.names().filter((n) => n.startsWith('c_')), textOf(await o.call('list_connections')).slice(0, 120));
});
it('echo', async () => {
  const arm = await openArm({ connectors: [plain('c', 'Get')], connections: [{ name: 'c', api: 'c' }] });
  const o = await openOffice({}, arm);
  const token = arm.token();
  const given: string[] = [];
  const o2 = await openOffice({ options: { azure: { token: async () => { given.push(arm.token()); return given.at(-1)!; } } } as any }, arm);
  await o2.call('c_get');
  const t = given.at(-1)!;
  for (const [tool, args, when] of [['list_connections', {}, 'connections'], ['get_consent_link', { connectionName: 'c' }, 'listConsentLinks'], ['c_get', {}, 'dynamicInvoke'], ['put_connection', { apiName: 'c', connectionName: 'z' }, 'z'], ['list_managed_apis', {}, 'managedApis']] as any) {
    arm.interrupt({ when: ({ path }) => path.endsWith(when), times: 3, plan: { status: 400, body: { error: { code: 'Bad', message: `you sent Bearer ${t}` } } } as any });
    const r = await o2.call(tool, args).catch((e: any) => e);
    log('ECHO', tool, JSON.stringify(r).includes(t), textOf(r as any).slice(0, 160));
    arm.forget();
  }
  arm.interrupt({ when: ({ path }) => path.endsWith('dynamicInvoke'), plan: { status: 200, body: { response: { statusCode: 'OK', headers: { 'set-cookie': 'a=b', 'x-auth': t }, body: { got: t, b64: Buffer.from(t).toString('base64') } } } } as any });
  const r = await o2.call('c_get');
  log('ECHO inner', JSON.stringify(r).includes(t), JSON.stringify(r).slice(0, 300));
});
it('links', async () => {
  const hits: string[] = [];
  const server = createServer((q, s) => { hits.push(`${q.method} ${q.url} ${q.headers.authorization ?? ''}`); s.end('{"value":[]}'); });
  await new Promise<void>((r) => server.listen(0, '127.0.0.1', r));
  onTestFinished(() => void server.close());
  const other = `http://127.0.0.1:${(server.address() as any).port}`;
  for (const [label, nextLink] of [['other host', `${other}/x`], ['userinfo', 'X'], ['scheme', 'file:///etc/passwd']] as any) {
    const arm = await openArm({ connectors: [plain('c', 'Get')], connections: [{ name: 'c', api: 'c' }] });
    const link = label === 'userinfo' ? arm.url.replace('http://', 'http://evil@') + '/x' : nextLink;
    arm.interrupt({ when: ({ path }) => path.endsWith('/connections'), times: 'always', plan: { status: 200, body: { value: [arm.connection('c')], nextLink: link } } as any });
    const o = await openOffice({}, arm);
    log(label, textOf(await o.call('list_connections')).slice(0, 200), hits);
  }
  for (const [label, url] of [['http own host', `${other}/doc`], ['https loopback', other.replace('http:', 'https:') + '/doc'], ['meta', 'http://169.254.169.254/x'], ['metas', 'https://169.254.169.254/x'], ['file', 'file:///etc/passwd']] as any) {
    const arm = await openArm({ connectors: [plain('c', 'Get')], connections: [{ name: 'c', api: 'c' }] });
    arm.interrupt({ when: ({ path }) => path.endsWith('/managedApis/c'), times: 'always', plan: { status: 200, body: { properties: { apiDefinitionUrl: url } } } as any });
    const o = await openOffice({}, arm);
    log(label, textOf(await o.call('refresh_tools')).slice(0, 250), hits);
  }
  // redirects of ARM
  const arm = await openArm({ connectors: [plain('c', 'Get')], connections: [{ name: 'c', api: 'c' }] });
  const o = await openOffice({}, arm);
  for (const status of [301, 302, 307, 308]) {
    arm.interrupt({ when: ({ path }) => path.endsWith('dynamicInvoke') || path.endsWith('/connections'), times: 2, plan: { status, headers: { location: `${other}/steal` } } as any });
    log('redir', status, textOf(await o.call('c_get')).slice(0, 140), textOf(await o.call('list_connections')).slice(0, 140), hits);
  }
});
