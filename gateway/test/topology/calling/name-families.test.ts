import { describe, expect, it } from 'vitest';
import { nameFamilies } from '../../../src/topology/calling/name-families.ts';

const product = (stems: readonly string[], suffixes: readonly string[]) =>
  stems.flatMap((stem) => suffixes.map((suffix) => `${stem}${suffix}`));

describe('nameFamilies', () => {
  it('leaves names that have nothing in common as they are', () => {
    expect(nameFamilies(['limit', 'user.name', 'user.age', 'a__b'])).toEqual([
      { text: 'limit', names: 1 },
      { text: 'user.name', names: 1 },
      { text: 'user.age', names: 1 },
      { text: 'a__b', names: 1 },
    ]);
  });

  it('tells filters of every field by every comparison as one, behind what stands alone', () => {
    const names = [...product(['where.title', 'where.year'], ['.eq', '.gt', '.lt']), 'limit', 'title'];
    expect(nameFamilies(names)).toEqual([
      { text: 'limit', names: 1 },
      { text: 'title', names: 1 },
      { text: 'where.{title, year}.{eq, gt, lt}', names: 6 },
    ]);
  });

  it('knows the double underscores of Django, too', () => {
    const names = [...product(['name', 'slug'], ['__n', '__ic', '__isw']), 'name', 'q'];
    expect(nameFamilies(names).map(({ text }) => text)).toEqual(['name', 'q', '{name, slug}__{n, ic, isw}']);
  });

  it('keeps fields apart that take other comparisons', () => {
    const names = [
      ...product(['where.id', 'where.year'], ['.eq', '.gt', '.lt']),
      ...product(['where.title'], ['.eq', '.like', '.in']),
    ];
    expect(nameFamilies(names).map(({ text }) => text)).toEqual([
      'where.{id, year}.{eq, gt, lt}',
      'where.title.{eq, like, in}',
    ]);
  });

  it('stays short where there are very many fields', () => {
    const fields = Array.from({ length: 200 }, (_, index) => `where.field${index}`);
    const [family, ...others] = nameFamilies(product(fields, ['.eq', '.gt', '.lt']));
    expect(others).toEqual([]);
    expect(family?.names).toBe(600);
    expect(family?.text).toMatch(/^where\.\{field0, field1, .* field13, …\}\.\{eq, gt, lt\}$/);
    expect(family?.text.length).toBeLessThan(200);
  });
});
