// Makes toolcrib.mcpb for Claude Desktop and other clients that install bundles. After `npm run build`:
//   node packaging/mcpb/build.mjs [FILE]      default: toolcrib.mcpb in this folder
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { collect } from './collect.mjs';
import { zip } from './zip.mjs';

const target = resolve(process.argv[2] ?? 'toolcrib.mcpb');
const files = collect();
const bytes = zip(files);
writeFileSync(target, bytes);
console.log(`${target}: ${files.length} files, ${(bytes.length / 1024 / 1024).toFixed(1)} MB`);
