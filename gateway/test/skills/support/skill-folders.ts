import { mkdtempSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of its own for one test, links resolved, removed afterwards. */
export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-skills-'));
  onTestFinished(async () => {
    await openFolders(folder);
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

async function openFolders(folder: string): Promise<void> {
  const { readdir } = await import('node:fs/promises');
  await chmod(folder, 0o700).catch(() => undefined);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await openFolders(join(folder, entry.name));
}

export async function put(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

export const matter = (name: string, description = `What ${name} is good for.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n`;

/** A manifest with tools that run `scripts/NAME.sh`. */
export function manifest(tools: readonly string[], mark = 'first'): string {
  const entries = tools.map(
    (name) =>
      `  - name: ${name}\n    description: ${mark}\n    executor:\n      type: script\n      entry: scripts/${name}.sh\n`,
  );
  return `version: 1\ntools:\n${entries.join('')}`;
}

/** `<root>/<id>` with a SKILL.md, a manifest and a script for each tool. */
export async function putSkill(
  root: string,
  id: string,
  tools: readonly string[] = ['greet'],
  mark = 'first',
): Promise<string> {
  const folder = join(root, id);
  await put(folder, {
    'SKILL.md': matter(id),
    'tool-manifest.yaml': manifest(tools, mark),
    ...Object.fromEntries(tools.map((name) => [`scripts/${name}.sh`, `#!/bin/sh\necho ${mark}\n`])),
  });
  return folder;
}
