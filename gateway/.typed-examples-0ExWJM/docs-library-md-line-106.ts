import { defineTool, type FromSchema } from 'toolcrib';

const input = {
  type: 'object',
  properties: { text: { type: 'string' }, limit: { type: 'integer' } },
  required: ['text'],
  additionalProperties: false,
} as const;
type Arguments = FromSchema<typeof input>; // { text: string; limit?: number }

export default defineTool({
  name: 'first_words',
  description: 'Gives the first words of a text.',
  access: 'read',
  input,
  output: { type: 'object', properties: { words: { type: 'array', items: { type: 'string' } } }, required: ['words'] },
  handler: ({ text, limit = 5 }: Arguments) => ({ words: text.split(/\s+/).slice(0, limit) }),
});
