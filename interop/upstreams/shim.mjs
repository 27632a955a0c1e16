#!/usr/bin/env node
// Stands before a real stdio server, hands every message on, and writes down each tools/call that reaches the server.
// SIGUSR2: writes what is no JSON-RPC. SIGTTIN: falls silent without ending. node shim.mjs LOG COMMAND ARGS…
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [log, command, ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
let silent = false;
appendFileSync(log, `${JSON.stringify({ pid: process.pid, server: server.pid })}\n`);
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === 'tools/call') {
    const { name, arguments: asked } = message.params;
    appendFileSync(log, `${JSON.stringify({ call: name, asked })}\n`);
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
