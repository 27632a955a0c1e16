// An MCP server as anybody would write it: notes in memory, over standard input and output.
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const notes = new Map([['welcome', 'Issue tools under control.']]);
const title = { type: 'string', description: 'Title of the note.' };
const text = (words) => ({ content: [{ type: 'text', text: words }] });

serveStdio(() => {
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  server.registerTool(
    'read_note',
    {
      description: 'Reads a note.',
      inputSchema: fromJsonSchema({ type: 'object', properties: { title }, required: ['title'] }),
      annotations: { readOnlyHint: true },
    },
    (args) => text(notes.get(args.title) ?? 'There is no such note.'),
  );
  server.registerTool(
    'write_note',
    {
      description: 'Writes a note.',
      inputSchema: fromJsonSchema({
        type: 'object',
        properties: { title, words: { type: 'string' } },
        required: ['title', 'words'],
      }),
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    (args) => {
      notes.set(args.title, args.words);
      return text('Written.');
    },
  );
  server.registerTool(
    'remove_note',
    {
      description: 'Removes a note.',
      inputSchema: fromJsonSchema({ type: 'object', properties: { title }, required: ['title'] }),
      annotations: { readOnlyHint: false, destructiveHint: true },
    },
    (args) => text(notes.delete(args.title) ? 'Removed.' : 'There is no such note.'),
  );
  server.registerTool(
    'crash',
    { description: 'Ends the process, as a fault would.', annotations: { readOnlyHint: true } },
    () => process.exit(1),
  );
  server.registerResource('welcome', 'notes://welcome', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: notes.get('welcome') }],
  }));
  return server;
});
