import { createGateway, defineTool } from 'toolcrib';
import { z } from 'zod';

const gateway = await createGateway(
  { name: 'acme', sources: { pets: { openapi: './pets.yaml' } } },
  {
    functions: {
      desk: {
        tools: [
          defineTool({
            name: 'add',
            description: 'Adds two numbers.',
            input: z.object({ a: z.number(), b: z.number() }),
            access: 'read',
            handler: ({ a, b }) => ({ sum: a + b }),
          }),
        ],
      },
    },
  },
);
