import { spawn } from 'node:child_process';
import { once } from 'node:events';

const PROTOCOL = '2025-11-25';

/** A server process on standard input and output, and the bare JSON-RPC that drives it: nothing of a client is measured. */
export class StdioProcess {
  #child;
  #waiting = new Map();
  #chunks = [];
  #id = 0;
  #noticed = Promise.withResolvers();

  constructor(args, options = {}) {
    this.started = performance.now();
    this.#child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'], ...options });
    this.stderr = '';
    this.#child.stderr.on('data', (chunk) => {
      this.stderr = (this.stderr + chunk).slice(-2000);
    });
    this.#child.stdout.on('data', (chunk) => this.#take(chunk));
    this.#child.once('exit', (code) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`exit ${code}: ${this.stderr}`));
    });
  }

  async initialize() {
    const clientInfo = { name: 'bench', version: '1.0.0' };
    await this.request('initialize', { protocolVersion: PROTOCOL, capabilities: {}, clientInfo });
    this.#write({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /** The line of the answer as it came; parse it outside what is timed. */
  request(method, params) {
    const id = ++this.#id;
    this.#write({ jsonrpc: '2.0', id, method, params });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Resolves with the next message that answers no request. */
  get nextNotice() {
    return this.#noticed.promise;
  }

  get pid() {
    return this.#child.pid;
  }

  async stop() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#waiting.clear();
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  #write(message) {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Answers come in the order of the requests that are open here: one at a time. */
  #take(chunk) {
    const end = chunk.lastIndexOf(10);
    if (end === -1) {
      this.#chunks.push(chunk);
      return;
    }
    const text = Buffer.concat([...this.#chunks, chunk.subarray(0, end)]).toString('utf8');
    this.#chunks = [chunk.subarray(end + 1)];
    for (const line of text.split('\n')) this.#answer(line);
  }

  #answer(line) {
    const [id, { resolve }] = this.#waiting.entries().next().value ?? [undefined, {}];
    if (id === undefined || (line.length < 10_000 && JSON.parse(line).id !== id)) {
      this.#noticed.resolve(line);
      this.#noticed = Promise.withResolvers();
      return;
    }
    this.#waiting.delete(id);
    resolve(line);
  }
}
