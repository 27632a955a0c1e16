import { jsonFile, type Template, titleOf } from './template.ts';

const CONTRACT = 'https://unpkg.com/toolcrib/schemas/tool.schema.json';

/** A tool package that counts words: small, and every part of the standard is there. */
export const toolTemplate: Template = (name) => ({
  'tool.schema.json': jsonFile({ $schema: CONTRACT, name, ...contract(name) }),
  'tool.ts': code(name),
  'tool.test.ts': test(),
  'tool.md': guide(name),
});

function contract(name: string) {
  return {
    title: titleOf(name),
    description: 'Counts the words of a text. Use it where a length in words matters.',
    access: 'read',
    input: {
      type: 'object',
      properties: { text: { type: 'string', description: 'What to count the words of.' } },
      required: ['text'],
      additionalProperties: false,
    },
    output: {
      type: 'object',
      properties: { words: { type: 'integer', description: 'Words between white space.' } },
      required: ['words'],
      additionalProperties: false,
    },
    timeoutMs: 5000,
    budget: { calls: 1000 },
    cost: { usd: 0, typicalMs: 1 },
    safety: { network: false, file: false, openWorld: false },
  };
}

function code(name: string): string {
  return `import { defineTool } from 'toolcrib';

/** What it takes and gives, its budget and its timeout: tool.schema.json says the same, and \`toolcrib lint\` compares. */
export default defineTool({
  name: '${name}',
  description: 'Counts the words of a text. Use it where a length in words matters.',
  access: 'read',
  input: {
    type: 'object',
    properties: { text: { type: 'string', description: 'What to count the words of.' } },
    required: ['text'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: { words: { type: 'integer', description: 'Words between white space.' } },
    required: ['words'],
    additionalProperties: false,
  },
  timeoutMs: 5000,
  budget: { calls: 1000 },
  handler: ({ text }) => ({ words: text.split(/\\s+/).filter((word) => word !== '').length }),
});
`;
}

function test(): string {
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import tool from './tool.ts';

const count = (text: string) => tool.handler({ text }, {} as never);

test('counts words between any white space', () => {
  assert.deepEqual(count('one  two\\nthree'), { words: 3 });
});

test('an empty text has none', () => {
  assert.deepEqual(count(''), { words: 0 });
});
`;
}

function guide(name: string): string {
  return `# ${name}

## Purpose
Counts the words of a text. It reads nothing but its argument and changes nothing.

## Inputs
- \`text\`: the text, of any length.

## Outputs
- \`words\`: how many words stand between white space.

## Examples
\`toolcrib lint\` calls the tool with each input and compares what comes with the output below it.

### Two words
\`\`\`json input
{ "text": "two words" }
\`\`\`
\`\`\`json output
{ "words": 2 }
\`\`\`

### Without a text
\`\`\`json input
{}
\`\`\`
\`\`\`text error
arguments_invalid
\`\`\`
`;
}
