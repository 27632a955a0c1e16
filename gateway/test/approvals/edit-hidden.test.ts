import { expect, test } from 'vitest';
import { createGateway } from '../../src/index.ts';
import type { JsonObject } from '../../src/operations/index.ts';
import { defineTool } from '../../src/sources/function/define.ts';
import { PERSON } from '../approved-calls.ts';

const input = {
  type: 'object',
  properties: {
    ids: { type: 'array', items: { type: 'integer' } },
    password: { type: 'string', minLength: 12 },
    note: { type: 'string', maxLength: 20 },
  },
} as const;

test('an edit of arguments that are too large to show changes those that it names', async () => {
  const sent: unknown[] = [];
  const handler = (args: object) => void sent.push(args);
  const rows = { type: 'array', items: { type: 'object' } } as const;
  const large = {
    type: 'object',
    properties: { rows, note: { type: 'string', maxLength: 20 } },
    required: ['rows', 'note'],
    additionalProperties: false,
  } as const;
  const tools = [defineTool({ name: 'send', description: 'Sends.', access: 'write', input: large, handler })];
  const gateway = await createGateway(
    { store: 'none', cache: false, watch: false, policy: { approvals: { write: 'ask' } } },
    { functions: { post: { tools } } },
  );
  try {
    const row = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`column ${at}`, 'x'.repeat(20)]));
    const args = { rows: [row], note: 'a' };
    const call = () => gateway.call({ tool: 'send', arguments: args });
    const approvals = await gateway.approvals();
    for (const kept of [true, false]) {
      await call();
      const [asked] = await approvals.list({ kind: 'operator' }, { states: ['pending'] });
      const { id, preview } = asked!;
      expect(Object.keys(preview)).toEqual(['…']);
      const edit = (note: string) => ({
        decision: 'edit' as const,
        arguments: { ...(kept ? preview : {}), note },
      });
      await expect(approvals.decide(id, edit('b'.repeat(21)), PERSON)).rejects.toThrow(/^[^;]*"note"[^;]*$/);
      await approvals.decide(id, edit('b'), PERSON);
      expect(await call()).not.toHaveProperty('error');
    }
    expect(sent).toEqual([
      { ...args, note: 'b' },
      { ...args, note: 'b' },
    ]);
  } finally {
    await gateway.close();
  }
});

test('an edit is checked without what the person was not shown, and then with it', async () => {
  const sent: unknown[] = [];
  const handler = (args: object) => void sent.push(args);
  const tools = [defineTool({ name: 'send', description: 'Sends.', access: 'write', input, handler })];
  const gateway = await createGateway(
    { store: 'none', cache: false, watch: false, policy: { approvals: { write: 'ask' } } },
    { functions: { post: { tools } } },
  );
  try {
    const args = { ids: Array.from({ length: 60 }, (_, id) => id), password: 'correct horse', note: 'a' };
    const call = () => gateway.call({ tool: 'send', arguments: args });
    await call();
    const approvals = await gateway.approvals();
    const [asked] = await approvals.list({ kind: 'operator' });
    const { id, preview } = asked!;
    const edit = (changes: JsonObject) => ({
      decision: 'edit' as const,
      arguments: { ...preview, ...changes },
    });
    await expect(approvals.decide(id, edit({ note: 'b'.repeat(21) }), PERSON)).rejects.toThrow(
      /^[^;]*"note"[^;]*$/,
    );
    await approvals.decide(id, edit({ note: 'b' }), PERSON);
    expect(await call()).not.toHaveProperty('error');
    expect(sent).toEqual([{ ...args, note: 'b' }]);
  } finally {
    await gateway.close();
  }
});
