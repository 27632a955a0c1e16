// Beside every built text file its compressed forms, so that the gateway never compresses while it serves.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const folder = process.argv[2] ?? join(import.meta.dirname, '../../gateway/console');
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(js|css|html|svg|json)$/.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  const content = readFileSync(file);
  const forms = {
    br: brotliCompressSync(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
    gz: gzipSync(content, { level: 9 }),
  };
  for (const [ending, bytes] of Object.entries(forms)) {
    if (bytes.length < content.length) writeFileSync(`${file}.${ending}`, bytes);
  }
}
