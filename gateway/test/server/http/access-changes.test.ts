import { describe, expect, test } from 'vitest';
import type { AccessChange } from '../../../src/principals/access/access-records.ts';
import type {
  AccessMatrix,
  AccessPreview,
  OperationsPage,
} from '../../../src/server/http/admin/access-administration.ts';
import fc from '../../properties.ts';
import { accessTeam, anyChanges } from './access-team.ts';

const PREVIEW = '/api/v1/access/preview';
const CHANGES = '/api/v1/access/changes';
const error = (code: string) => ({ error: { code } });

test('a preview says what saving then brings, tool by tool, and writes nothing', async () => {
  await using team = await accessTeam();
  const { admin, people } = team;
  const visible = async () => {
    const matrix: AccessMatrix = await team.done(admin, 'GET', '/api/v1/access/matrix');
    const lists = await Promise.all(
      matrix.rows.map(async ({ id }) => {
        const page: OperationsPage = await team.done(
          admin,
          'GET',
          `/api/v1/access/operations?user=${id}&show=visible&limit=200`,
        );
        return [id, page.operations.map(({ tool }) => tool)] as const;
      }),
    );
    return { matrix, tools: new Map(lists) };
  };
  const levelsOf = ({ rows }: AccessMatrix, id: string) =>
    new Map(rows.find((row) => row.id === id)!.cells.map(({ source, level }) => [source, level]));
  let differed = 0;
  await fc.assert(
    fc.asyncProperty(anyChanges(people.slice(1)), anyChanges(people.slice(1)), async (first, changes) => {
      // the admin stays one, or nothing more could be asked
      await team.done(admin, 'POST', CHANGES, { changes: first });
      const before = await visible();
      const body = { version: before.matrix.version, changes };
      const preview: AccessPreview = await team.done(admin, 'POST', PREVIEW, body);
      expect((await visible()).matrix).toEqual(before.matrix);
      await team.done(admin, 'POST', CHANGES, body);
      const after = await visible();
      for (const id of people) {
        const person = preview.people.find((one) => one.id === id);
        const had = new Set(before.tools.get(id));
        const has = new Set(after.tools.get(id));
        const said = (of: 'gained' | 'lost') =>
          (person?.sources ?? []).flatMap((source) => source[of].tools).sort();
        expect(said('gained')).toEqual([...has].filter((tool) => !had.has(tool)).sort());
        expect(said('lost')).toEqual([...had].filter((tool) => !has.has(tool)).sort());
        expect([person?.gained ?? 0, person?.lost ?? 0]).toEqual([
          said('gained').length,
          said('lost').length,
        ]);
        const levels = [levelsOf(before.matrix, id), levelsOf(after.matrix, id)] as const;
        for (const [source, level] of levels[0]) {
          const told = person?.sources.find((one) => one.source === source);
          expect([told?.before ?? level, told?.after ?? level]).toEqual([level, levels[1].get(source)]);
        }
        differed += said('gained').length + said('lost').length;
      }
      expect(preview.people.length + preview.unchanged).toBe(people.length);
    }),
    { numRuns: 20 },
  );
  expect(differed).toBeGreaterThan(20);
}, 120_000);

describe('saving', () => {
  const level = (more: object = {}): AccessChange =>
    ({ kind: 'level', scope: 'source:pets', level: 'disabled', ...more }) as AccessChange;

  test('is all or nothing', async () => {
    await using team = await accessTeam();
    const { admin, ben } = team;
    const before: AccessMatrix = await team.done(admin, 'GET', '/api/v1/access/matrix');
    const answer = await admin('POST', CHANGES, {
      changes: [level(), { kind: 'user', user: ben.id, roles: ['nobody'] }],
    });
    expect(answer).toMatchObject([400, { error: { code: 'record_invalid', pointer: '/changes/1/roles/0' } }]);
    expect(await admin('POST', CHANGES, { changes: [level({ scope: 'source:gone' })] })).toMatchObject([
      400,
      { error: { code: 'record_invalid', pointer: '/changes/0/scope' } },
    ]);
    expect(await team.done(admin, 'GET', '/api/v1/access/matrix')).toEqual(before);
  });

  test('is refused when somebody else changed it meanwhile, and only then', async () => {
    await using team = await accessTeam();
    const { admin, operator, organisation, ben } = team;
    const { version }: AccessMatrix = await team.done(admin, 'GET', '/api/v1/access/matrix');
    // keys and accounts are not what is edited here
    await team.done(admin, 'POST', '/api/v1/keys', { user: ben.id, name: 'another' });
    const saved = await team.done(admin, 'POST', CHANGES, { version, changes: [level()] });
    expect(saved.version).not.toBe(version);
    const late = { organisation: organisation.id, version, changes: [level({ level: 'read-only' })] };
    for (const path of [PREVIEW, CHANGES]) {
      expect(await operator('POST', path, late)).toMatchObject([409, error('record_conflict')]);
    }
    const matrix: AccessMatrix = await team.done(admin, 'GET', '/api/v1/access/matrix');
    expect(matrix.version).toBe(saved.version);
    expect(matrix.sources.find(({ name }) => name === 'pets')).toMatchObject({ allowed: 'disabled' });
    // of two at the same time one is first
    const both = await Promise.all(
      ['read-only', 'read-write'].map((to) =>
        admin('POST', CHANGES, { version: saved.version, changes: [level({ level: to })] }),
      ),
    );
    expect(both.map(([status]) => status).sort()).toEqual([200, 409]);
  });

  test('is in force at the next call', async () => {
    await using team = await accessTeam();
    const { admin, ben } = team;
    const call = () => ben.call('POST', '/api/v1/tools/pets_listPets/call', { arguments: {} });
    // let through, as far as the service that is not there
    expect(await call()).toMatchObject([502, error('upstream_unreachable')]);
    await team.done(admin, 'POST', CHANGES, { changes: [level({ user: ben.id })] });
    expect(await call()).toMatchObject([403, error('tool_forbidden')]);
    await team.done(admin, 'POST', CHANGES, {
      changes: [{ kind: 'user', user: ben.id, status: 'disabled' }],
    });
    expect(await call()).toMatchObject([401, error('unauthorized')]);
  });

  test('users choose for themselves, and nothing else', async () => {
    await using team = await accessTeam();
    const { ben, cat } = team;
    await team.done(ben.call, 'POST', CHANGES, { changes: [level({ user: ben.id })] });
    for (const [change, code] of [
      [level(), 'admin_needed'],
      [level({ user: cat.id }), 'record_unknown'],
      [{ kind: 'user', user: ben.id, roles: ['admin'] }, 'admin_needed'],
      [{ kind: 'feature', feature: 'beta', enabled: true }, 'admin_needed'],
    ] as const) {
      for (const path of [PREVIEW, CHANGES]) {
        const [, body] = await ben.call('POST', path, { changes: [change] });
        expect(body).toMatchObject(error(code));
      }
    }
    const reading = await team.done(team.admin, 'POST', '/api/v1/keys', {
      user: team.ann.id,
      name: 'reads',
      maxAccess: 'read',
    });
    const reader = team.as(reading.key);
    expect(await reader('POST', PREVIEW, { changes: [level()] })).toMatchObject([200, { unchanged: 1 }]);
    expect(await reader('POST', CHANGES, { changes: [level()] })).toMatchObject([403, error('admin_needed')]);
  });
});

test('an admin learns nothing of another organisation, and changes nothing there', async () => {
  await using team = await accessTeam();
  const { rival, ben, organisation } = team;
  const changes: AccessChange[] = [{ kind: 'level', user: ben.id, scope: 'category:*', level: 'disabled' }];
  for (const path of [PREVIEW, CHANGES]) {
    expect(await rival.admin('POST', path, { changes })).toMatchObject([404, error('record_unknown')]);
    expect(await rival.admin('POST', path, { organisation: organisation.id, changes })).toMatchObject([
      404,
      error('record_unknown'),
    ]);
    expect(
      await rival.admin('POST', path, { changes: [{ kind: 'user', user: ben.id, status: 'disabled' }] }),
    ).toMatchObject([404, error('record_unknown')]);
  }
  // what they change at home shows to nobody else
  const before: AccessMatrix = await team.done(team.admin, 'GET', '/api/v1/access/matrix');
  const theirs = await team.done(rival.admin, 'POST', PREVIEW, {
    changes: [{ kind: 'level', scope: 'category:*', level: 'read-only' }],
  });
  expect(theirs.people.map(({ id }: { id: string }) => id)).toEqual([rival.user]);
  expect(JSON.stringify(theirs)).not.toMatch(new RegExp([...team.people, organisation.id].join('|')));
  await team.done(rival.admin, 'POST', CHANGES, {
    changes: [{ kind: 'level', scope: 'category:*', level: 'read-only' }],
  });
  expect(await team.done(team.admin, 'GET', '/api/v1/access/matrix')).toEqual(before);
});
