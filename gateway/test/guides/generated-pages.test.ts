import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { WRITTEN_FILES } from '../../scripts/reference/written-files.ts';
import { ERRORS } from '../../src/errors.ts';
import { ROUTES } from '../../src/server/http/routes/index.ts';

const fileOf = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

describe('files that are made from the program', () => {
  it.each(WRITTEN_FILES)(
    '$path is what `node gateway/scripts/write-reference.mjs` writes',
    async ({ path, write }) => {
      expect(await fileOf(path)).toBe(write());
    },
  );

  it('has a section for every route, with its words', async () => {
    const text = await fileOf('docs/http-api.md');
    const headings = [...text.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
    expect(headings.toSorted()).toEqual(
      ROUTES.map(({ method, path }) => `${method.toUpperCase()} ${path}`).toSorted(),
    );
    for (const { summary } of ROUTES) expect(text).toContain(summary);
  });

  it('names only codes that there are', async () => {
    const [, table = ''] = /^\| code \| when \|\n(.*?)\n\n/ms.exec(await fileOf('docs/http-api.md')) ?? [];
    const codes = [...table.matchAll(/`([a-z_]+)`/g)]
      .map(([, code]) => code!)
      .filter((code) => code !== 'pointer');
    expect(codes.length).toBeGreaterThan(8);
    for (const code of codes) expect(Object.keys(ERRORS)).toContain(code);
  });
});
