// One document in a process of its own: node document.mjs FILE [OPERATION]. Answers with one JSON line on the IPC channel,
// or on standard output when started by hand.
import net from 'node:net';
import { basename } from 'node:path';
import { compileOperations } from './compile-operations.mjs';
import { loadPrism } from './load-prism.mjs';
import { trip } from './trip.mjs';

// Prism's reference parser would fetch remote references: nothing in this process opens a connection.
net.Socket.prototype.connect = () => {
  throw new Error('no network in the round trip');
};

const [file, only] = process.argv.slice(2);
const report =
  process.send === undefined
    ? (message) => console.log(JSON.stringify(message, null, 1))
    : (message) => process.send(message);

const started = performance.now();
const { operations: compiled, securitySchemes } = await compileOperations(file);
let prism;
try {
  prism = await loadPrism(file);
} catch (error) {
  report({
    document: basename(file),
    compiled: compiled.length,
    unloaded: String(error.message).slice(0, 300),
  });
  process.exit(0);
}
process.send?.('loaded');
const loadedMs = Math.round(performance.now() - started);
const result = {
  document: basename(file),
  compiled: compiled.length,
  loadedMs,
  checked: 0,
  absent: 0,
  withBody: 0,
  excluded: {},
  findings: [],
};
for (const operation of compiled) {
  if (only !== undefined && operation.id !== only) continue;
  const described = prism.get(`${operation.invocation.method} ${operation.invocation.path}`);
  if (described === undefined) {
    result.absent++;
    continue;
  }
  result.checked++;
  const { finding, excluded, request, args } = await trip(operation, described, securitySchemes);
  if (excluded !== undefined)
    result.excluded[excluded] = [...(result.excluded[excluded] ?? []), operation.id];
  if (request?.body !== undefined) result.withBody++;
  if (finding !== undefined)
    result.findings.push({
      operation: operation.id,
      path: operation.invocation.path,
      method: operation.invocation.method,
      ...finding,
    });
  if (only !== undefined)
    report({
      args,
      request: {
        ...request,
        body: request?.body === undefined ? undefined : Buffer.from(request.body).toString('utf8'),
      },
      finding,
    });
}
result.ms = Math.round(performance.now() - started);
report(result);
process.disconnect?.();
