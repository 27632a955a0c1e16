// Writes the pages of docs/ that are made from the program: node gateway/scripts/write-reference.mjs
import { writeFile } from 'node:fs/promises';
import { PAGES } from './reference/pages.ts';

for (const { name, write } of PAGES) {
  await writeFile(new URL(`../../docs/${name}`, import.meta.url), await write());
  console.log(`docs/${name}`);
}
