import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorsOf, markdownFiles, ROOT, readPage, withoutCode } from './markdown.ts';

const pages = await markdownFiles();

/** Targets of links and images, with and without a title. */
function targetsOf(text: string): string[] {
  const inline = [...withoutCode(text).matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)];
  const defined = [...withoutCode(text).matchAll(/^\[[^\]]+\]:\s+(\S+)/gm)];
  return [...inline, ...defined].map(([, target]) => target!);
}

describe('links of the documentation', () => {
  it('finds the pages that it is about', () => {
    expect(pages).toContain('README.md');
    expect(pages).toContain('docs/README.md');
    expect(pages).toContain('examples/quickstart/README.md');
  });

  it.each(pages)('%s leads to files and headings that there are', async (page) => {
    const text = await readPage(page);
    const broken: string[] = [];
    for (const target of targetsOf(text)) {
      if (/^[a-z][a-z0-9+.-]*:/i.test(target)) continue;
      const [path = '', anchor] = decodeURI(target).split('#', 2) as [string, string?];
      const file = path === '' ? page : normalize(join(dirname(page), path));
      if (file.startsWith('..') || !existsSync(join(ROOT, file))) broken.push(target);
      else if (anchor !== undefined && file.endsWith('.md') && !anchorsOf(await readPage(file)).has(anchor))
        broken.push(target);
    }
    expect(broken).toEqual([]);
  });

  it('docs/README.md leads to every page of docs/', async () => {
    const linked = new Set(targetsOf(await readPage('docs/README.md')).map((target) => target.split('#')[0]));
    const guides = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== 'docs/README.md');
    expect(guides.map((page) => page.slice('docs/'.length)).filter((name) => !linked.has(name))).toEqual([]);
  });

  it('shows images with words for whoever does not see them', async () => {
    for (const page of pages)
      for (const [, words] of withoutCode(await readPage(page)).matchAll(/!\[([^\]]*)\]\(/g))
        expect(words, page).not.toBe('');
  });
});
