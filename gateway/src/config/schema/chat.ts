import { z } from 'zod';

/** Building blocks of the configuration's schema, which it hands over. */
interface Shapes {
  readonly closed: <T extends z.core.$ZodShape>(shape: T) => z.ZodObject<T, z.core.$strict>;
  readonly text: z.ZodString;
  readonly httpUrl: z.ZodType<string>;
  readonly secret: z.ZodType<string | { env: string } | { file: string }>;
}

/** `chat`. */
export function chatShape({ closed, text, httpUrl, secret }: Shapes) {
  return closed({
    baseUrl: httpUrl.describe('Of an OpenAI-compatible API, e.g. http://127.0.0.1:11434/v1.'),
    model: text,
    apiKey: secret.optional(),
    system: text.optional().describe('Comes first in every conversation.'),
    maxRounds: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe('Answers of the model in one request. Default: 8.'),
    maxTokens: z.int().min(1).optional().describe('Of each answer.'),
  });
}

/** What `chat:` may hold, once its schema has checked it. */
export type ChatEntry = z.infer<ReturnType<typeof chatShape>>;
