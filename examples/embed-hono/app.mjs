import { Hono } from 'hono';
import { createGateway, defineFunctions, defineTool } from 'toolcrib';
import { z } from 'zod';

const NOTE = z.object({ id: z.int(), text: z.string() });

/** A web application with pages of its own and, at /mcp, tools that work on the same data. */
export async function createApp() {
  const notes = [];
  const functions = defineFunctions({
    tools: [
      defineTool({
        name: 'add_note',
        description: 'Writes a note and answers with its id.',
        input: z.object({ text: z.string().min(1).max(500).describe('What to remember.') }),
        output: NOTE,
        access: 'write',
        handler: ({ text }) => {
          const note = { id: notes.length + 1, text };
          notes.push(note);
          return note;
        },
      }),
      defineTool({
        name: 'find_notes',
        description: 'Finds notes that hold a word; without a word, all of them.',
        input: z.object({ word: z.string().optional() }),
        output: z.object({ notes: z.array(NOTE) }),
        access: 'read',
        handler: ({ word = '' }) => ({ notes: notes.filter(({ text }) => text.includes(word)) }),
      }),
    ],
  });
  const gateway = await createGateway({ name: 'notes', watch: false }, { functions: { notes: functions } });

  const app = new Hono();
  app.get('/', (context) => context.html(`<h1>${notes.length} notes</h1>`));
  // Host and Origin are checked by the gateway; a token as well, when the configuration names one.
  app.all('/mcp', (context) => gateway.fetch(context.req.raw));
  app.all('/api/v1/*', (context) => gateway.fetch(context.req.raw));
  return { app, close: () => gateway.close() };
}
