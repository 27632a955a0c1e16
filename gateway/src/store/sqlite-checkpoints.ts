import { Worker } from 'node:worker_threads';

/** Commits between two checkpoints. */
const EVERY = 500;
/** Pages of the journal after which the writer does one itself: the thread is missing or too slow. */
export const WRITER_CHECKPOINT_PAGES = 16_000;

/**
 * Moves the journal into the file on a thread of its own: that waits for the disk, and calls must not. Passive: it
 * blocks no reader and no writer (sqlite.org/wal.html). Source text, so that it runs from any bundle.
 */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(workerData, { timeout: 0 });
database.exec('pragma synchronous = normal');
const checkpoint = database.prepare('pragma wal_checkpoint(passive)');
parentPort.on('message', (close) => {
  if (close) database.close();
  else {
    try {
      // the second pass takes what was written during the first
      for (let pass = 0; pass < 2; pass++) checkpoint.get();
    } catch {}
  }
  parentPort.postMessage(close);
  if (close) parentPort.close();
});`;

export interface Checkpoints {
  /** After each commit. */
  committed(): void;
  /** Resolves when the thread holds the file no more. */
  close(): Promise<void>;
}

export function createCheckpoints(file: string): Checkpoints {
  let commits = 0;
  let thread: Worker | undefined;
  let working = false;
  let failed = false;

  const start = () => {
    const worker = new Worker(THREAD, { eval: true, workerData: file, execArgv: [], stderr: true });
    worker.unref();
    worker.on('message', () => {
      working = false;
    });
    // the writer does the checkpoints then
    worker.on('error', () => {
      failed = true;
      thread = undefined;
    });
    return worker;
  };

  return {
    committed() {
      if (++commits < EVERY || working || failed) return;
      commits = 0;
      working = true;
      thread ??= start();
      thread.postMessage(false);
    },
    async close() {
      const worker = thread;
      thread = undefined;
      failed = true;
      if (worker === undefined) return;
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      worker.ref();
      worker.postMessage(true);
      await ended;
    },
  };
}
