import { defineFunctions, defineTool } from 'toolcrib';
import { z } from 'zod';

const NOTE = z.object({ id: z.int(), text: z.string() });

/** A source with something to read and something to change. */
export function noteFunctions() {
  const notes = [{ id: 1, text: 'water the plants' }];
  return defineFunctions({
    tools: [
      defineTool({
        name: 'find_notes',
        description: 'Finds notes that hold a word.',
        input: z.object({ word: z.string().min(1) }),
        output: z.object({ notes: z.array(NOTE) }),
        access: 'read',
        handler: ({ word }) => ({ notes: notes.filter(({ text }) => text.includes(word)) }),
      }),
      defineTool({
        name: 'add_note',
        description: 'Writes a note.',
        input: z.object({ text: z.string().min(1) }),
        output: NOTE,
        access: 'write',
        handler: ({ text }) => {
          const note = { id: notes.length + 1, text };
          notes.push(note);
          return note;
        },
      }),
    ],
  });
}
