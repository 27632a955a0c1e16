import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const text = readFileSync(new URL('../../../SECURITY.md', import.meta.url), 'utf8');
const inPackage = (path: string) => new URL(`../../${path}`, import.meta.url);

describe('SECURITY.md', () => {
  it('has a row for each of the OWASP MCP Top 10', () => {
    const rows = [...text.matchAll(/^\| (MCP\d\d) /gm)].map(([, id]) => id);
    expect(rows).toEqual(
      Array.from({ length: 10 }, (_, index) => `MCP${String(index + 1).padStart(2, '0')}`),
    );
  });

  it.each([...new Set([...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path!))])(
    'names %s, which exists',
    (path) => {
      expect(existsSync(inPackage(path))).toBe(true);
    },
  );

  it.each([...text.matchAll(/`(test\/[^`]+)` \(“([^”]+)”\)/g)].map(([, path, name]) => [path!, name!]))(
    'names a test of %s: %s',
    (path, name) => {
      expect(readFileSync(inPackage(path), 'utf8').replaceAll('’', "'")).toContain(name);
    },
  );
});
