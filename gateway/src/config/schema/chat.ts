import { z } from 'zod';
import { closed, httpUrl, secret, text } from './values.ts';

/** `chat`. */
export const chatShape = closed({
  baseUrl: httpUrl.describe('Of an OpenAI-compatible API, e.g. http://127.0.0.1:11434/v1.'),
  model: text,
  apiKey: secret.optional(),
  system: text.optional().describe('Comes first in every conversation.'),
  maxRounds: z.int().min(1).max(100).optional().describe('Answers of the model in one request. Default: 8.'),
  maxTokens: z.int().min(1).optional().describe('Of each answer.'),
});

/** What `chat:` may hold, once its schema has checked it. */
export type ChatEntry = z.infer<typeof chatShape>;
