import { z } from 'zod';
import { closed, httpUrl, secret, text } from './values.ts';

/** `search`. */
export const searchShape = closed({
  embeddings: closed({
    baseUrl: httpUrl.describe('Below it lies /embeddings, as in the OpenAI API.'),
    model: text,
    apiKey: secret.optional(),
    dimensions: z.int().min(1).max(65_536).optional(),
    depth: z.int().min(2).max(100).optional().describe('Hits by words that are looked at. Default: 50.'),
    share: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Of the meaning in the final score; the rest is the words. Default: 0.5.'),
  })
    .optional()
    .describe('Hits are put in order by meaning: queries and texts of operations go to that endpoint.'),
});
