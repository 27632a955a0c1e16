import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import type { Principal } from '../../../src/operations/index.ts';
import type { GatewayAdmin } from '../../../src/server/http/admin/gateway-admin.ts';
import type { GatewaySkills } from '../../../src/server/http/admin/gateway-skills.ts';
import { describeApi } from '../../../src/server/http/description.ts';
import type { SkillImportSource } from '../../../src/skills/room.ts';
import { httpEndpoint } from './http-endpoint.ts';

const IMPORTED = {
  id: 'pdf',
  version: 'sha256:2',
  previous: 'sha256:1',
  compiled_ok: 2,
  invalid_tools: 1,
  shadowed_tools: 0,
  invalid: [{ place: 'tool-manifest.yaml:4', error: 'It has no name.' }],
  shadowed: [],
};
const SKILL = {
  id: 'pdf',
  source: 'skills',
  description: 'Reads PDF files.',
  version: 'sha256:2',
  tools: ['pdf_text'],
  invalid: [],
  shadowed: [],
  overridden: 0,
};
const VERSION = { version: 'sha256:1', seenAt: 1, tools: 2, current: false };

/** What was asked of the skills, with the file's content read while it is there. */
interface Asked {
  readonly what: string;
  readonly source?: SkillImportSource;
  readonly content?: Buffer;
  readonly options?: object;
}

function doubleOf(asked: Asked[]): GatewaySkills {
  const known = (id: string) => {
    if (id !== 'pdf') throw new ToolcribError('skill_unknown', `There is no skill called ${id}.`);
  };
  return {
    list: async () => [SKILL],
    get: async (id) => {
      known(id);
      return { ...SKILL, files: [], findings: [] };
    },
    async import(source, options) {
      const content = source.kind === 'path' ? await readFile(source.path) : undefined;
      asked.push({ what: 'import', source, options, ...(content ? { content } : {}) });
      return { skills: [IMPORTED], compiled_ok: 2, invalid_tools: 1, shadowed_tools: 0 };
    },
    async remove(id) {
      known(id);
      asked.push({ what: `remove ${id}` });
    },
    versions: async (id) => {
      known(id);
      return [VERSION];
    },
    async restore(id, version) {
      known(id);
      asked.push({ what: `restore ${id} ${version}` });
      return IMPORTED;
    },
  };
}

async function serving({
  authenticated,
  roles,
  held = [],
}: {
  authenticated?: Principal;
  roles?: string[];
  held?: string[];
} = {}) {
  const asked: Asked[] = [];
  const endpoint = await httpEndpoint(
    { tools: [] },
    {},
    {
      skills: async () => doubleOf(asked),
      profile: async () => ({ roles: held, sources: [], effectiveAccess: {} }),
    },
    authenticated === undefined ? {} : { authenticate: async () => authenticated },
  );
  if (roles !== undefined) {
    const { configuration } = endpoint.gateway as unknown as GatewayAdmin;
    Object.assign(configuration, { policy: { ...configuration.policy, skills: { roles } } });
  }
  return { asked, endpoint, [Symbol.asyncDispose]: () => endpoint[Symbol.asyncDispose]() };
}
const PATHS = ['/api/v1/skills/import', '/teacher/skills/import'];
const asUser = { authorization: 'Bearer any' };
const user = (more: Partial<Principal> = {}): Principal => ({
  id: 'ann',
  kind: 'user',
  organisation: 'school',
  maxAccess: 'delete',
  roles: [],
  ...more,
});

describe.each(PATHS)('POST %s', (path) => {
  test('a URL', async () => {
    await using crib = await serving();
    expect(
      await crib.endpoint.post(path, { url: 'https://example.org/a.zip', force: true, only: ['pdf'] }),
    ).toEqual([200, { skills: [IMPORTED], compiled_ok: 2, invalid_tools: 1, shadowed_tools: 0 }]);
    expect(crib.asked).toEqual([
      {
        what: 'import',
        source: { kind: 'url', url: 'https://example.org/a.zip' },
        options: { force: true, only: ['pdf'] },
      },
    ]);
  });

  test('a file of a form is on the disk while it is imported, and gone afterwards', async () => {
    await using crib = await serving();
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 31) % 256));
    const form = new FormData();
    form.append('only', 'pdf');
    form.append('only', 'docx');
    form.append('file', new Blob([bytes]), 'wörds "and" more.zip');
    form.append('force', 'true');
    const [status] = await crib.endpoint.json(path, { method: 'POST', body: form });
    expect(status).toBe(200);
    const [{ source, content, options }] = crib.asked as [Asked];
    expect(content?.equals(bytes)).toBe(true);
    expect(options).toEqual({ only: ['pdf', 'docx'], force: true });
    expect(existsSync((source as { path: string }).path)).toBe(false);
  });

  test('a URL as a field of a form', async () => {
    await using crib = await serving();
    const form = new FormData();
    form.append('url', 'https://example.org/r.git#main');
    await crib.endpoint.json(path, { method: 'POST', body: form });
    expect(crib.asked).toMatchObject([{ source: { kind: 'url', url: 'https://example.org/r.git#main' } }]);
  });
});

describe('requests that are refused', () => {
  const [path] = PATHS as [string];
  const send = async (type: string, body: string | Buffer) => {
    await using crib = await serving();
    const answer = await crib.endpoint.json(path, {
      method: 'POST',
      body: body as never,
      headers: { 'content-type': type },
    });
    expect(crib.asked).toEqual([]);
    return answer;
  };
  const part = (name: string, content: string, file?: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}\r\n\r\n${content}\r\n`;
  const FORM = 'multipart/form-data; boundary=b';

  test.each<[string, string, string]>([
    ['no body', 'application/json', ''],
    ['a path of the server', 'application/json', '{"path":"/etc"}'],
    ['a form without boundary', 'multipart/form-data', '--b--\r\n'],
    ['a form without anything', FORM, '--b--\r\n'],
    ['a form that ends early', FORM, part('file', 'x', 'a.zip').slice(0, -2)],
    ['a form that ends after a boundary', FORM, `${part('file', 'x', 'a.zip')}--b`],
    ['a part without a name', FORM, '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n'],
    ['a part with an endless heading', FORM, `--b\r\nX: ${'x'.repeat(20_000)}\r\n\r\n\r\n--b--`],
    ['two files', FORM, `${part('file', 'x', 'a')}${part('file', 'y', 'b')}--b--\r\n`],
    ['a file of another name', FORM, `${part('other', 'x', 'a')}--b--\r\n`],
    ['a file and a url', FORM, `${part('file', 'x', 'a')}${part('url', 'https://h/')}--b--\r\n`],
    ['an endless field', FORM, `${part('url', 'x'.repeat(10_000))}--b--\r\n`],
    ['many parts', FORM, `${part('x', '').repeat(70)}--b--\r\n`],
  ])('%s', async (_what, type, body) => {
    expect(await send(type, body)).toMatchObject([400, { error: { code: 'request_invalid' } }]);
  });

  test('an archive that is the body itself, with the way in which it is sent', async () => {
    expect(await send('application/zip', 'PK')).toMatchObject([
      400,
      { error: { code: 'request_invalid', message: expect.stringContaining('multipart/form-data') } },
    ]);
  });

  test('more than the limit, by what it says and by what comes', async () => {
    await using crib = await serving();
    const { port } = new URL(crib.endpoint.url);
    const status = (headers: Record<string, string | number>, chunks: number) =>
      new Promise<number | undefined>((resolve, reject) => {
        const sending = httpRequest(
          { port, host: '127.0.0.1', path, method: 'POST', headers: { 'content-type': FORM, ...headers } },
          (response) => {
            response.resume();
            resolve(response.statusCode);
            sending.destroy();
          },
        );
        sending.on('error', reject);
        sending.write(part('file', '', 'a.zip').slice(0, -2));
        const chunk = Buffer.alloc(1024 * 1024, 120);
        const more = (left: number) => {
          if (left > 0 && !sending.destroyed) sending.write(chunk, () => more(left - 1));
        };
        more(chunks);
      });
    expect(await status({ 'content-length': 70 * 1024 * 1024 }, 0)).toBe(413);
    expect(await status({ 'transfer-encoding': 'chunked' }, 70)).toBe(413);
    expect(crib.asked).toEqual([]);
  });
});

describe('who may install', () => {
  const [path] = PATHS as [string];
  const URL_BODY = {
    method: 'POST',
    headers: { ...asUser, 'content-type': 'application/json' },
    body: '{"url":"https://h/a.zip"}',
  };
  const changes = [
    [path, URL_BODY],
    ['/teacher/skills/import', URL_BODY],
    ['/api/v1/skills/pdf', { method: 'DELETE', headers: asUser }],
    ['/api/v1/skills/pdf/restore', { ...URL_BODY, body: '{"version":"sha256:1"}' }],
  ] as const;
  const outcome = async (parts: Parameters<typeof serving>[0]) => {
    await using crib = await serving(parts);
    const statuses: number[] = [];
    for (const [where, init] of changes) statuses.push((await crib.endpoint.request(where, init)).status);
    return statuses;
  };
  const FORBIDDEN = [403, 403, 403, 403];
  const ALLOWED = [200, 200, 204, 200];

  test.each<[string, Parameters<typeof serving>[0], number[]]>([
    ['the owner of the process', {}, ALLOWED],
    ['a user where no role is named', { authenticated: user(), held: ['teacher'] }, FORBIDDEN],
    ['a user without the role', { authenticated: user(), roles: ['teacher'], held: ['pupil'] }, FORBIDDEN],
    [
      'a user who holds the role now',
      { authenticated: user(), roles: ['teacher'], held: ['teacher'] },
      ALLOWED,
    ],
    [
      'a role that only the credential says',
      { authenticated: user({ roles: ['teacher'] }), roles: ['teacher'] },
      FORBIDDEN,
    ],
    [
      'a key that may only write',
      { authenticated: user({ maxAccess: 'write' }), roles: ['teacher'], held: ['teacher'] },
      FORBIDDEN,
    ],
    [
      'a key for some sources',
      { authenticated: user({ sources: ['a'] }), roles: ['teacher'], held: ['teacher'] },
      FORBIDDEN,
    ],
    [
      'a credential that decides approvals',
      { authenticated: user({ purpose: 'approve' }), roles: ['teacher'], held: ['teacher'] },
      FORBIDDEN,
    ],
  ])('%s', async (_who, parts, expected) => expect(await outcome(parts)).toEqual(expected));

  test('no tool does: the routes are marked, and a call of a tool is refused', async () => {
    const { paths } = describeApi() as { paths: Record<string, Record<string, Record<string, unknown>>> };
    for (const [where, method] of [
      [path, 'post'],
      ['/teacher/skills/import', 'post'],
      ['/api/v1/skills/{id}', 'delete'],
      ['/api/v1/skills/{id}/restore', 'post'],
    ] as const)
      expect(paths[where]?.[method]?.['x-toolcrib-access']).toBe('dangerous');
    await using crib = await serving();
    const request = new Request(`http://127.0.0.1${path}`, URL_BODY);
    const owner = { principal: user({ kind: 'local' }), depth: 1 };
    expect((await crib.endpoint.server.fetchAs(request, owner)).status).toBe(403);
    expect(crib.asked).toEqual([]);
  });

  test('a page of another site cannot', async () => {
    await using crib = await serving();
    const form = new FormData();
    form.append('url', 'https://h/a.zip');
    const headers = { origin: 'https://evil.example' };
    expect((await crib.endpoint.request(path, { method: 'POST', body: form, headers })).status).toBe(403);
    expect(crib.asked).toEqual([]);
  });
});

describe('skills that are there', () => {
  test('list, get, versions', async () => {
    await using crib = await serving({ authenticated: user() });
    const get = (path: string) => crib.endpoint.json(`/api/v1/skills${path}`, { headers: asUser });
    expect(await get('')).toEqual([200, { skills: [SKILL] }]);
    expect(await get('/pdf')).toEqual([200, { ...SKILL, files: [], findings: [] }]);
    expect(await get('/pdf/versions')).toEqual([200, { versions: [VERSION] }]);
    expect(await get('/none')).toMatchObject([404, { error: { code: 'skill_unknown' } }]);
  });

  test('a gateway without skills says so', async () => {
    await using endpoint = await httpEndpoint({ tools: [] });
    expect(await endpoint.json('/api/v1/skills')).toMatchObject([404, { error: { code: 'not_found' } }]);
    expect(await endpoint.post('/api/v1/skills/import', { url: 'https://h/a.zip' })).toMatchObject([404, {}]);
  });
});
