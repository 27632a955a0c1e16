import { writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { createDurableEvents } from '../../src/events/durable-events.ts';
import { openStore } from '../../src/store/open-store.ts';
import { temporaryHome } from '../cli/command-run.ts';

const crib = temporaryHome();

const file = (store: string) => `store: ${store}
sources:
  ceph:
    openapi: ./openapi.json
    features:
      daos: { tags: [daos], enabled: false, description: DAOS clusters. }
      specialty: { tags: [ceph-keys] }
`;

beforeAll(async () => {
  await writeFile(crib.path('toolcrib.yaml'), file('sqlite:./crib.db'));
  await writeFile(crib.path('none.yaml'), file('none'));
  await writeFile(crib.path('empty.yaml'), 'store: none\n');
});

describe('toolcrib features', () => {
  it('lists what the configuration says, before there is a store', async () => {
    const { exit, out } = await crib.run(['features']);
    expect(exit).toBe(0);
    expect(out).toMatch(/^ceph\.daos +off +as configured +DAOS clusters\.$/m);
    expect(out).toMatch(/^ceph\.specialty +on +as configured/m);
  });

  it('switches one, for every gateway of the store, and back', async () => {
    expect(await crib.run(['features', 'on', 'ceph.daos'])).toMatchObject({
      exit: 0,
      out: 'ceph.daos is on.\n',
    });
    expect((await crib.run(['features', 'list'])).out).toMatch(/^ceph\.daos +on +\d{4}-.* by local/m);
    expect((await crib.run(['features', 'off', 'ceph.specialty'])).out).toBe('ceph.specialty is off.\n');
    const { out } = await crib.run(['features', '--json']);
    expect(JSON.parse(out).features).toMatchObject([
      { name: 'ceph.daos', enabled: true, configured: false },
      { name: 'ceph.specialty', enabled: false, configured: true },
    ]);
    expect((await crib.run(['features', 'reset', 'ceph.daos'])).out).toBe(
      'ceph.daos is off, as configured.\n',
    );
  });

  it('leaves an event', async () => {
    const store = await openStore(`sqlite:${crib.path('crib.db')}`);
    const events = createDurableEvents({ store });
    const bodies = await events.list();
    await events.close();
    await store.close();
    expect(bodies).toMatchObject([
      { type: 'feature-changed', subject: 'ceph.daos', change: 'on', principal: 'local' },
      { type: 'feature-changed', subject: 'ceph.specialty', change: 'off' },
      { type: 'feature-changed', subject: 'ceph.daos', change: 'as configured' },
    ]);
  });

  it('refuses a name that is none, and to switch where nothing is kept', async () => {
    const unknown = await crib.run(['features', 'on', 'ceph.doas']);
    expect(unknown.exit).toBe(64);
    expect(unknown.err).toContain('ceph.daos');
    const stored = await crib.run(['features', 'on', 'ceph.daos', '--config', 'none.yaml']);
    expect(stored.exit).toBe(78);
    expect(stored.err).toContain('PUT /api/v1/features/NAME');
    expect((await crib.run(['features', '--config', 'none.yaml'])).out).toContain('ceph.daos');
    expect((await crib.run(['features', '--config', 'empty.yaml'])).err).toContain('has no features');
  });
});
