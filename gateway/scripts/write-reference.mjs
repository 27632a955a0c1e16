// Writes the files that are made from the program: node gateway/scripts/write-reference.mjs
import { writeFile } from 'node:fs/promises';
import { WRITTEN_FILES } from './reference/written-files.ts';

for (const { path, write } of WRITTEN_FILES) {
  await writeFile(new URL(`../../${path}`, import.meta.url), write());
  console.log(path);
}
