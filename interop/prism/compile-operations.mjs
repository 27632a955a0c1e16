import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { compileSource } from '../../gateway/src/compiler/compile-source.ts';
import { describeSource } from '../../gateway/src/sources/registry.ts';

/** The product's own reader and compiler: every HTTP operation as a tool of its own would call it. */
export async function compileOperations(file) {
  const { signal } = new AbortController();
  const reader = {
    async read(location) {
      if (/^https?:/i.test(location)) throw new Error(`not read in the round trip: ${location}`);
      return readFile(location.startsWith('file:') ? new URL(location) : location);
    },
  };
  const context = { name: 'document', baseDirectory: dirname(file), reader, signal };
  const compiled = compileSource(await describeSource('openapi', file, context), {
    source: 'document',
    kind: 'openapi',
    profile: 'portable',
    outputSchemas: 'none',
    maxOutputSchemaSize: 0,
  });
  const operations = compiled.tools
    .map((tool) => tool.operation())
    .filter(({ invocation }) => invocation.kind === 'http');
  return { operations, securitySchemes: compiled.securitySchemes };
}
