import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifest } from './skill-folders.ts';

/** Writes one mark into every file that a call reads, without giving anybody a turn in between. */
export function markSkill(folder: string, mark: string, tools: readonly string[] = ['greet']): void {
  writeFileSync(join(folder, 'tool-manifest.yaml'), manifest(tools, mark));
  for (const tool of tools) writeFileSync(join(folder, `scripts/${tool}.sh`), `#!/bin/sh\necho ${mark}\n`);
}

/** The marks that a frozen version holds: one, where it is of one moment. */
export function marksOf(folder: string, tools: readonly string[] = ['greet']): string[] {
  const [, described = ''] =
    /description: (.*)/.exec(readFileSync(join(folder, 'tool-manifest.yaml'), 'utf8')) ?? [];
  const echoed = tools.map(
    (tool) => /echo (.*)/.exec(readFileSync(join(folder, `scripts/${tool}.sh`), 'utf8'))?.[1] ?? '',
  );
  return [...new Set([described, ...echoed])];
}
