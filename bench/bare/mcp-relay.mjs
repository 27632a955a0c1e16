// The floor of a gateway before an MCP server over stdio: whatever the client sends is handed on as it is, and so is
// what comes back. Over HTTP one thing is read, the id that brings an answer to its request.
// node mcp-relay.mjs SERVER.mjs [--http]
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

const [upstream, mode] = process.argv.slice(2);
const child = spawn(process.execPath, [upstream], { stdio: ['pipe', 'pipe', 'inherit'] });
process.on('exit', () => child.kill());

if (mode === '--http') relayHttp();
else {
  process.stdin.on('data', (bytes) => child.stdin.write(bytes)).on('end', () => child.stdin.end());
  child.stdout.on('data', (bytes) => process.stdout.write(bytes));
}

function relayHttp() {
  const waiting = new Map();
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const { id } = JSON.parse(line);
      const headers = { 'content-type': 'application/json', 'mcp-session-id': 'one' };
      waiting
        .get(id)
        ?.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(line) })
        .end(line);
      waiting.delete(id);
    }
  });
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    request.setEncoding('utf8').on('data', (text) => {
      body += text;
    });
    request.on('end', () => {
      const { id } = JSON.parse(body);
      child.stdin.write(`${body}\n`);
      if (id === undefined) response.writeHead(202).end();
      else waiting.set(id, response);
    });
  });
  server.listen(0, '127.0.0.1', () =>
    console.log(JSON.stringify({ type: 'listening', mcp: `http://127.0.0.1:${server.address().port}/mcp` })),
  );
}
