import { z } from 'zod';
import { closed } from './values.ts';

const text = z.string().min(1, 'Must not be empty.');

/** `search`; an address and a secret are written as everywhere else. */
export function searchShape(httpUrl: z.ZodType<string>, secret: z.ZodType) {
  return closed({
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
}
