#!/usr/bin/env node
// Stands before a real stdio server, hands every message on, and writes down each tools/call that reaches the server.
// SIGUSR2: writes what is no JSON-RPC. SIGTTIN: falls silent without ending. node shim.mjs LOG COMMAND ARGS…
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [log, command, ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
let silent = false;
/** On a line of its own, also behind one whose writer was killed in the middle of it. */
const write = (entry) => appendFileSync(log, `\n${JSON.stringify(entry)}\n`);

write({ pid: process.pid, server: server.pid });
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === 'tools/call') {
    const { name, arguments: asked } = message.params;
    write({ call: name, asked });
  }
  if (!silent) server.stdin.write(`${line}\n`);
});
process.stdin.on('end', () => server.kill('SIGKILL'));
server.stdout.on('data', (data) => silent || process.stdout.write(data));
server.on('exit', () => process.exit(0));
process.on('SIGUSR2', () => process.stdout.write(`${'\u0000<<< no message >>>'.repeat(50)}\n`.repeat(20)));
process.on('SIGTTIN', () => {
  silent = true;
});
