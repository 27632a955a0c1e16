import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export interface Block {
  readonly language: string;
  readonly text: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
}

/** Markdown files of the project, as paths from its root: what a reader can come upon. */
export async function markdownFiles(): Promise<string[]> {
  const folders = ['', '.github', 'docs', 'docs/decisions', 'bench', 'console', 'packaging'];
  const listed = await Promise.all([...folders, ...(await subfolders('examples'))].map(filesOf));
  return listed.flat().sort();
}

async function subfolders(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}/${name}`);
}

async function filesOf(folder: string): Promise<string[]> {
  const names = await readdir(join(ROOT, folder)).catch(() => [] as string[]);
  return names
    .filter((name) => name.endsWith('.md'))
    .map((name) => (folder === '' ? name : `${folder}/${name}`));
}

export function readPage(path: string): Promise<string> {
  return readFile(join(ROOT, path), 'utf8');
}

/** Fenced blocks in their order. */
export function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map((match) => ({
    language: match[1] ?? '',
    text: match[2] ?? '',
    line: text.slice(0, match.index).split('\n').length,
  }));
}

/** The same text without code, so that what looks like a link in an example is none. */
export function withoutCode(text: string): string {
  const fenced = text.replace(/^```.*?^```$/gms, (block) => block.replace(/[^\n]/g, ''));
  return fenced.replace(/`[^`\n]*`/g, (code) => `\`${'x'.repeat(code.length - 2)}\``);
}

/** Anchors of a page's headings, as GitHub makes them: repeated ones are numbered. */
export function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  const prose = text.replace(/^```.*?^```$/gms, '');
  for (const [, heading = ''] of prose.matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
    const slug = plain
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}
