import { type Template, titleOf } from './template.ts';

/** A skill by the Agent Skills specification, with one tool of its own. */
export const skillTemplate: Template = (name) => ({
  'SKILL.md': `---
name: ${name}
description: Counts the words of a text. Use it when somebody asks how long a text is.
license: Apache-2.0
---

# ${titleOf(name)}

1. Call the tool \`${name.replaceAll('-', '_')}.count\` with the text. Without it, send \`{"text": "…"}\` to \`node scripts/count.mjs\`.
2. Answer with the number and what was counted.
`,
  'tool-manifest.yaml': `version: 1
runtime:
  default_timeout_sec: 20
tools:
  - name: ${name.replaceAll('-', '_')}.count
    description: Counts the words of a text.
    input_schema:
      type: object
      properties:
        text: { type: string, description: The text itself. }
      required: [text]
      additionalProperties: false
    executor:
      type: script
      entry: scripts/count.mjs
      stdin_template: { text: "{{ args.text }}" }
    access: read
`,
  'scripts/count.mjs': `// Reads {"text": "…"} from stdin and prints how many words it has, as JSON.
import { text } from 'node:stream/consumers';

const input = JSON.parse(await text(process.stdin));
const words = input.text.split(/\\s+/).filter((word) => word !== '').length;
console.log(JSON.stringify({ ok: true, data: { words } }));
`,
});
