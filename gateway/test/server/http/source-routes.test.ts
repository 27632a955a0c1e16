import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, teamGateway } from './team-gateway.ts';

let team: Awaited<ReturnType<typeof teamGateway>>;
beforeAll(async () => {
  team = await teamGateway({
    sources: {
      greenhouse: {
        manifest: 'greenhouse',
        baseUrl: 'http://127.0.0.1:9',
        connections: 'shared',
        credentials: { apiKey: { env: 'LOOPBACK_GREENHOUSE_KEY' } },
      },
      n8n: { n8n: { url: 'http://127.0.0.1:9', apiKey: 'of-nothing' } },
    },
  });
});
afterAll(() => team[Symbol.asyncDispose]());

const OPERATORS = ['error', 'place', 'drift', 'diagnostics', 'skipped', 'origin', 'triedAt', 'upstream'];

describe('sources in a team', () => {
  it('are shown to the operator as they are', async () => {
    const [status, { sources }] = await team.operator('GET', '/api/v1/sources');
    expect([status, sources]).toMatchObject([
      200,
      [
        { name: 'greenhouse', kind: 'manifest', health: 'ok', place: 'greenhouse', origin: 'start' },
        { name: 'n8n', health: 'failing', error: { code: expect.any(String), next: expect.any(String) } },
      ],
    ]);
    const [, report] = await team.operator('GET', '/api/v1/sources/greenhouse');
    expect(report.compiled.length).toBe(report.source.tools);
  });

  it('are shown to a user by the own level, without what is the operator’s', async () => {
    const user = team.as((await team.user('Sue')).key);
    const [, { sources }] = await user('GET', '/api/v1/sources');
    expect(sources).toMatchObject([{ name: 'greenhouse', health: 'ok', connection: 'connected' }]);
    const [status, report] = await user('GET', '/api/v1/sources/greenhouse');
    expect([status, Object.keys(report)]).toEqual([200, ['source']]);
    for (const key of OPERATORS) {
      expect(sources[0]).not.toHaveProperty(key);
      expect(report.source).not.toHaveProperty(key);
    }
  });

  it('that a user may not use are unknown to that user', async () => {
    const { id, key } = await team.user('Zoe');
    const access = { organisation: team.organisation.id, user: id, scope: 'category:ats', level: 'disabled' };
    expect((await team.admin('PUT', '/api/v1/access', access))[0]).toBeLessThan(300);
    const user = team.as(key);
    expect((await user('GET', '/api/v1/sources'))[1].sources).toEqual([]);
    for (const name of ['greenhouse', 'n8n', 'nope'])
      expect(await user('GET', `/api/v1/sources/${name}`)).toMatchObject([
        404,
        { error: { code: 'source_unknown' } },
      ]);
  });

  it.each<[string, () => Caller]>([
    ['a user', () => team.admin],
    ['the token of the server', () => team.operator],
  ])('are not changed by %s', async (_who, caller) => {
    const entry = { openapi: './x.json' };
    const requests = [
      ['POST', '/api/v1/sources', { name: 'x', entry, keep: 'run', dryRun: true }],
      ['DELETE', '/api/v1/sources/greenhouse?keep=run'],
      ['POST', '/api/v1/source-documents?name=x.json', {}],
      ['POST', '/api/v1/catalog/reject', { tool: 'x' }],
    ] as const;
    for (const [method, path, body] of requests) expect((await caller()(method, path, body))[0]).toBe(403);
  });

  it('are read again by the operator alone', async () => {
    const path = '/api/v1/sources/greenhouse/refresh';
    expect((await team.admin('POST', path))[0]).toBe(403);
    expect(await team.operator('POST', path)).toMatchObject([200, { health: 'ok' }]);
  });
});
