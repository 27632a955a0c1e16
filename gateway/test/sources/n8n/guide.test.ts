import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseConfiguration } from '../../../src/config/index.ts';
import { n8nShape } from '../../../src/config/schema/n8n.ts';
import { isObject } from '../../../src/operations/index.ts';
import { active, describeWorkflows, page, webhook } from './describing.ts';

const guide = await readFile(new URL('../../../../docs/n8n.md', import.meta.url), 'utf8');
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`^(\`{3,4})${language}\\n([\\s\\S]*?)^\\1$`, 'gm'))].map(
    ([, , text]) => text!,
  );

describe('docs/n8n.md', () => {
  const [setUp, file, schemes, byHand] = blocks('yaml');

  it('has a configuration that can be used', async () => {
    const { sources } = await parseConfiguration(parse(setUp!), { env: {}, baseDirectory: '/' });
    expect(n8nShape.safeParse(sources['flows']!.settings).success).toBe(true);
    const credentials = { sources: { flows: { ...parse(setUp!).sources.flows, ...parse(schemes!) } } };
    await expect(parseConfiguration(credentials, { env: {}, baseDirectory: '/' })).resolves.toBeDefined();
    const listed = { url: 'http://127.0.0.1', ...parse(byHand!) };
    expect(n8nShape.safeParse(listed).success).toBe(true);
  });

  it.each(['note', 'file'])('has an example of a %s that is understood', async (kind) => {
    const [note] = blocks('markdown');
    const parameters = { path: 'orders/:number', httpMethod: 'POST', responseMode: 'lastNode' };
    const node = webhook(parameters, kind === 'note' ? { notes: note } : {});
    // the file speaks of a second one
    const other = webhook({ path: 'orders', httpMethod: 'DELETE' }, { name: 'Webhook 2' });
    const nodes = kind === 'note' ? [node] : [node, other];
    const { operations, diagnostics } = await describeWorkflows(
      [page([active('Find order', nodes)])],
      kind === 'file' ? { schemas: 'flows.yaml' } : {},
      { '/base/flows.yaml': file! },
    );
    expect(diagnostics).toEqual([]);
    expect(operations[0]).toMatchObject({ access: 'read', input: { required: ['number'] } });
    expect(operations.slice(1).map(({ access }) => access)).toEqual(kind === 'note' ? [] : ['delete']);
  });

  it('names every setting', () => {
    const shape = n8nShape.shape;
    expect(isObject(shape)).toBe(true);
    for (const key of Object.keys(shape))
      expect(guide, key).toMatch(new RegExp(`^\\|.*\`${key}\`.*\\|`, 'm'));
  });
});
