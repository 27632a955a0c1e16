import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../../src/config/index.ts';
import { createGateway } from '../../../src/gateway.ts';
import { TICKETS } from '../../topology/search-set.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-agreements-'));
writeFileSync(join(folder, 'desk.json'), JSON.stringify(TICKETS));
afterAll(() => rmSync(folder, { recursive: true }));

const POLICIES = {
  'no rules': {},
  'deleting without a question': { approvals: { delete: 'allow' } },
  'a question about reads': { approvals: { rules: [{ access: 'read', action: 'ask' }] } },
  'a question about one tool that is asked of a role': {
    approvals: { rules: [{ operation: 'getTicket', role: 'guest', action: 'ask' }] },
  },
  'only reads': { defaults: { user: { '*': 'read-only' } } },
};

describe('agreements of all tools', () => {
  it.each(Object.entries(POLICIES))('are those of each: %s', async (_, policy) => {
    const configuration = await parseConfiguration(
      { store: 'none', cache: false, watch: false, policy, sources: { desk: { openapi: 'desk.json' } } },
      { baseDirectory: folder, env: {} },
    );
    const gateway = await createGateway(configuration);
    try {
      const agreements = await gateway.agreements();
      const each = new Map<string, unknown>();
      for (const { name } of gateway.view().catalog.entries) {
        const { approval } = await gateway.explain(name);
        if (approval !== undefined) each.set(name, approval);
      }
      expect(agreements).toEqual(each);
    } finally {
      await gateway.close();
    }
  });
});
