import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { PAGES } from '../../scripts/reference/pages.ts';
import { ERRORS } from '../../src/errors.ts';
import { ROUTES } from '../../src/server/http/routes/index.ts';

const docs = (name: string) => readFile(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

describe('pages that are made from the program', () => {
  it.each(PAGES)(
    'docs/$name is what `node gateway/scripts/write-reference.mjs` writes',
    async ({ name, write }) => {
      expect(await docs(name)).toBe(await write());
    },
  );

  it('has a section for every route, with its words', async () => {
    const text = await docs('http-api.md');
    const headings = [...text.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
    expect(headings.toSorted()).toEqual(
      ROUTES.map(({ method, path }) => `${method.toUpperCase()} ${path}`).toSorted(),
    );
    for (const { summary } of ROUTES) expect(text).toContain(summary);
  });

  it('names only codes that there are', async () => {
    const [, table = ''] = /^\| code \| when \|\n(.*?)\n\n/ms.exec(await docs('http-api.md')) ?? [];
    const codes = [...table.matchAll(/`([a-z_]+)`/g)]
      .map(([, code]) => code!)
      .filter((code) => code !== 'pointer');
    expect(codes.length).toBeGreaterThan(8);
    for (const code of codes) expect(Object.keys(ERRORS)).toContain(code);
  });
});
