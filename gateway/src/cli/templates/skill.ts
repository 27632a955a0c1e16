import { type Template, titleOf } from './template.ts';

/** A skill by the Agent Skills specification, with one tool of its own. */
export const skillTemplate: Template = (name) => ({
  'SKILL.md': `---
name: ${name}
description: Counts the words of a text file. Use it when somebody asks how long a text is.
license: Apache-2.0
---

# ${titleOf(name)}

1. Save the text in a file.
2. Call the tool \`${name.replaceAll('-', '_')}.count\` with the path of the file, or run \`node scripts/count.mjs FILE\`.
3. Answer with the number and what was counted.

Tools of skills run in a later version of Toolcrib; until then an agent follows these steps itself.
`,
  'tool-manifest.yaml': `version: 1
runtime:
  default_timeout_sec: 20
tools:
  - name: ${name.replaceAll('-', '_')}.count
    description: Counts the words of a text file.
    input_schema:
      type: object
      properties:
        file: { type: string, description: Path of the file. }
      required: [file]
      additionalProperties: false
    executor:
      type: script
      entry: scripts/count.mjs
      args_template: ["{{ args.file }}"]
`,
  'scripts/count.mjs': `// node scripts/count.mjs FILE: prints how many words the file has, as JSON.
import { readFile } from 'node:fs/promises';

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('Name a file: node scripts/count.mjs FILE');
  process.exit(64);
}
const words = (await readFile(file, 'utf8')).split(/\\s+/).filter((word) => word !== '');
console.log(JSON.stringify({ ok: true, words: words.length }));
`,
});
