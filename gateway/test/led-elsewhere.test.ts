import { describe, expect, it } from 'vitest';
import { documentWith, liveFolder, toolNames } from './live-folder.ts';
import { liveService } from './live-service.ts';

type Document = ReturnType<typeof documentAt>;

function documentAt(server: string, ...operations: string[]) {
  return JSON.parse(documentWith(server, ...operations));
}

/** A gateway whose lock holds the document as it was, and what is served of what became of it. */
async function accepted(before: Document, settings: object = {}, lock: object = {}) {
  const { put, configure, load, start } = await liveFolder();
  await put('a.json', JSON.stringify(before));
  await configure({
    watch: false,
    egress: { allow: ['127.0.0.1'] },
    lock: { file: './toolcrib.lock.json', ...lock },
    sources: { a: { openapi: './a.json', prefix: 'none', credentials: { bearer: 'token' }, ...settings } },
  });
  await (await start()).accept();
  return {
    load,
    async become(after: Document) {
      await put('a.json', JSON.stringify(after));
      return start();
    },
  };
}

const findings = (gateway: { view(): { catalog: { diagnostics: readonly { message: string }[] } } }) =>
  gateway
    .view()
    .catalog.diagnostics.map(({ message }) => message)
    .join('\n');

describe('a document that was accepted and now leads its calls to another host', () => {
  it('does not take the credential there', async () => {
    const [before, after] = [await liveService(), await liveService()];
    const { become } = await accepted(documentAt(before.base, 'one', 'two'));
    const next = documentAt(before.base, 'one', 'two', 'three');
    for (const path of ['/two', '/three']) next.paths[path].servers = [{ url: after.base }];
    const gateway = await become(next);
    expect(toolNames(gateway)).toEqual(['one']);
    await expect(gateway.call({ tool: 'two' })).rejects.toMatchObject({ code: 'tool_quarantined' });
    expect(await gateway.call({ tool: 'one' })).not.toHaveProperty('error');
    expect(after.seen).toEqual([]);
    expect(findings(gateway)).toContain(
      `Its calls would go, with the credential, to ${after.base}, which is new for a`,
    );
    expect(await gateway.accept('two')).toEqual(['two']);
    expect(toolNames(gateway)).toEqual(['one', 'three', 'two']);
  });

  it('is served where the lock follows, or the configuration names the address', async () => {
    const [before, after] = [await liveService(), await liveService()];
    const next = documentAt(after.base, 'one');
    const followed = await accepted(documentAt(before.base, 'one'), {}, { mode: 'accept' });
    expect(toolNames(await followed.become(next))).toEqual(['one']);
    const named = await accepted(documentAt(before.base, 'one'), { baseUrl: before.base });
    const gateway = await named.become(next);
    expect(await gateway.call({ tool: 'one' })).not.toHaveProperty('error');
    expect(after.seen).toEqual([]);
    const beside = await accepted(documentAt(before.base, 'one'), {
      credentials: { oauth2: { clientId: 'crib', tokenUrl: `${after.base}/token` } },
    });
    expect(toolNames(await beside.become(next))).toEqual(['one']);
  });

  it('is served with other changes, and where its tools never led anywhere', async () => {
    const { base } = await liveService();
    const changed = documentAt(base, 'one', 'two');
    changed.paths['/one'].get.summary = 'Another text.';
    expect(toolNames(await (await accepted(documentAt(base, 'one'))).become(changed))).toEqual([
      'one',
      'two',
    ]);
    const nowhere = documentAt(base, 'one');
    delete nowhere.servers;
    expect(toolNames(await (await accepted(nowhere)).become(documentAt(base, 'one')))).toEqual(['one']);
  });
});

describe('a document that was accepted and now has tokens issued elsewhere', () => {
  const signedIn = (server: string, token: string, kind: 'oauth2' | 'openIdConnect' = 'oauth2') => {
    const document = documentAt(server, 'one');
    document.components.securitySchemes.bearer =
      kind === 'oauth2'
        ? { type: 'oauth2', flows: { clientCredentials: { tokenUrl: token, scopes: {} } } }
        : { type: 'openIdConnect', openIdConnectUrl: token };
    return document;
  };
  const credentials = { oauth2: { clientId: 'crib', clientSecret: 'a-secret' } };

  it.each(['oauth2', 'openIdConnect'] as const)('shows no client there: %s', async (kind) => {
    const [service, issuer] = [await liveService(), await liveService()];
    const { become } = await accepted(signedIn(service.base, `${service.base}/token`, kind), { credentials });
    const gateway = await become(signedIn(service.base, `${issuer.base}/token`, kind));
    expect(toolNames(gateway)).toEqual([]);
    await expect(gateway.call({ tool: 'one' })).rejects.toMatchObject({ code: 'tool_quarantined' });
    expect([...service.seen, ...issuer.seen]).toEqual([]);
    expect(findings(gateway)).toContain(
      `Its tokens would be asked for, with the secret of the client, at ${issuer.base}, which is new for a`,
    );
  });

  it('is served where the configuration says where tokens come from', async () => {
    const { base } = await liveService();
    const configured = { oauth2: { ...credentials.oauth2, tokenUrl: `${base}/token` } };
    const { become } = await accepted(signedIn(base, `${base}/token`), { credentials: configured });
    expect(toolNames(await become(signedIn(base, 'https://login.example/token')))).toEqual(['one']);
  });
});
