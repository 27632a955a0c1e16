import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = (name) =>
  fileURLToPath(import.meta.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`));

/** A secret of the gateway's own environment that no server may see. */
export const SECRET = 'not-for-upstream-servers';

/**
 * The real servers, each on state of its own below `folder`: command, arguments, environment, and what each tool is
 * asked in turn (`[tool, arguments]`). What a tool says about its own environment or the time is compared by shape.
 */
export function stdioServers(folder) {
  const files = join(folder, 'files');
  mkdirSync(join(files, 'sub'), { recursive: true });
  writeFileSync(join(files, 'a.txt'), 'alpha\nbeta\ngamma\n');
  writeFileSync(join(files, 'sub', 'b.json'), '{"b":1}');
  writeFileSync(join(files, 'dot.png'), Buffer.from(DOT, 'base64'));
  const at = (name) => join(files, name);
  return {
    everything: { command: process.execPath, args: [script('everything'), 'stdio'], calls: EVERYTHING },
    files: {
      command: process.execPath,
      args: [script('filesystem'), files],
      calls: [
        ['list_allowed_directories', {}],
        ['read_file', { path: at('a.txt') }],
        ['read_text_file', { path: at('a.txt'), head: 2 }],
        ['read_media_file', { path: at('dot.png') }],
        ['read_multiple_files', { paths: [at('a.txt'), at('missing.txt')] }],
        ['write_file', { path: at('new.txt'), content: 'written' }],
        ['edit_file', { path: at('new.txt'), edits: [{ oldText: 'written', newText: 'edited' }] }],
        ['create_directory', { path: at('made') }],
        ['list_directory', { path: files }],
        ['list_directory_with_sizes', { path: files, sortBy: 'size' }],
        ['directory_tree', { path: files }],
        ['move_file', { source: at('new.txt'), destination: at('moved.txt') }],
        ['search_files', { path: files, pattern: '**/*.json' }],
        ['get_file_info', { path: at('a.txt') }],
        ['read_text_file', { path: '/etc/hostname' }],
      ],
    },
    memory: {
      command: process.execPath,
      args: [script('memory')],
      env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
      calls: [
        ['create_entities', { entities: [entity('ada', ['mathematician']), entity('alan', [])] }],
        ['create_relations', { relations: [{ from: 'ada', to: 'alan', relationType: 'inspired' }] }],
        ['add_observations', { observations: [{ entityName: 'alan', contents: ['logician'] }] }],
        ['read_graph', {}],
        ['search_nodes', { query: 'logic' }],
        ['open_nodes', { names: ['ada'] }],
        ['delete_observations', { deletions: [{ entityName: 'ada', observations: ['mathematician'] }] }],
        ['delete_relations', { relations: [{ from: 'ada', to: 'alan', relationType: 'inspired' }] }],
        ['delete_entities', { entityNames: ['alan'] }],
        ['read_graph', {}],
      ],
    },
  };
}

/** The everything server over its two network transports. */
export const EVERYTHING_SCRIPT = script('everything');

const EVERYTHING = [
  ['echo', { message: 'Grüße, 世界 👋' }],
  ['get-annotated-message', { messageType: 'error', includeImage: true }],
  ['get-annotated-message', { messageType: 'debug' }],
  ['get-env', {}],
  ['get-resource-links', { count: 3 }],
  ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
  ['get-resource-reference', { resourceType: 'Blob', resourceId: 2 }],
  ['get-roots-list', {}],
  ['get-structured-content', { location: 'Chicago' }],
  ['get-sum', { a: 2.5, b: -3 }],
  ['get-tiny-image', {}],
  ['gzip-file-as-resource', { name: 'g.gz', data: 'data:text/plain,hello', outputType: 'resource' }],
  ['toggle-simulated-logging', {}],
  ['toggle-simulated-logging', {}],
  ['toggle-subscriber-updates', {}],
  ['toggle-subscriber-updates', {}],
  ['trigger-long-running-operation', { duration: 0.3, steps: 3 }],
  ['trigger-elicitation-request', {}],
  ['trigger-sampling-request', { prompt: 'hello', maxTokens: 10 }],
];

/** Carried out as a task, and in no other way. */
export const TASK = 'simulate-research-query';

/** Not comparable: they need the experimental tasks of a client, or open an address of the upstream's choice. */
export const LEFT_OUT = {
  'trigger-elicitation-request-async': 'needs a client with the experimental tasks capability',
  'trigger-sampling-request-async': 'needs a client with the experimental tasks capability',
  'trigger-url-elicitation': 'ends when the page it names was opened in a browser',
};

function entity(name, observations) {
  return { name, entityType: 'person', observations };
}

const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
