import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { isTimeout } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import type { ReadablePage } from './page-markdown.ts';
import type { WorkerAnswer, WorkerJob, WorkerMessage } from './page-worker.ts';
import type { RobotsQuestion } from './robots-rules.ts';

/** A page that takes longer is refused; that the worker starts is not its fault. Milliseconds. */
const TIME_LIMIT_MS = 8000;
/** Deeply nested or huge pages end the worker, not the gateway. */
const RESOURCES = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 };
/** The worker stays warm so long. */
const IDLE_MS = 30_000;

/** Turns pages into Markdown outside the main thread, which goes on serving meanwhile. */
export interface PageReader {
  /** Throws `upstream_failed` for a page that cannot be read, `deadline_exceeded` and `cancelled`. */
  read(html: string, url: string, timeoutMs: number, signal: AbortSignal): Promise<ReadablePage>;
  /** What `allowedBy` says, for files whose rules take long. Throws as `read` does. */
  allows(question: RobotsQuestion, timeoutMs: number, signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

export function createPageReader(): PageReader {
  let idle: { worker: Worker; timer: NodeJS.Timeout } | undefined;

  const take = (): Worker => {
    const warm = idle;
    idle = undefined;
    if (warm === undefined) return startWorker();
    clearTimeout(warm.timer);
    return warm.worker;
  };
  const giveBack = (worker: Worker): void => {
    if (idle !== undefined) {
      void worker.terminate();
      return;
    }
    const timer = setTimeout(() => {
      idle = undefined;
      void worker.terminate();
    }, IDLE_MS);
    timer.unref();
    worker.unref();
    idle = { worker, timer };
  };

  const run = async (job: WorkerJob, timeoutMs: number, signal: AbortSignal): Promise<WorkerAnswer> => {
    const worker = take();
    worker.ref();
    try {
      const answer = await ask(worker, job, timeoutMs, signal);
      giveBack(worker);
      if ('problem' in answer) throw unreadable(job.url, answer.problem);
      return answer;
    } catch (error) {
      if (idle?.worker !== worker) void worker.terminate();
      throw error;
    }
  };

  return {
    async read(html, url, timeoutMs, signal) {
      const answer = await run({ kind: 'page', html, url }, timeoutMs, signal);
      return (answer as Extract<WorkerAnswer, { page: unknown }>).page;
    },
    async allows(question, timeoutMs, signal) {
      const answer = await run({ kind: 'robots', ...question }, timeoutMs, signal);
      return (answer as Extract<WorkerAnswer, { allowed: unknown }>).allowed;
    },
    async close() {
      const warm = idle;
      idle = undefined;
      clearTimeout(warm?.timer);
      await warm?.worker.terminate();
    },
  };
}

function ask(worker: Worker, job: WorkerJob, timeoutMs: number, signal: AbortSignal): Promise<WorkerAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(deadline);
      clearTimeout(limit);
      signal.removeEventListener('abort', onAbort);
      worker.removeAllListeners();
      // whatever it still reports concerns nobody
      worker.on('error', () => undefined);
      act();
    };
    const fail = (error: ToolcribError) => settle(() => reject(error));
    const onAbort = () => fail(endedBy(signal, job.url));
    const deadline = setTimeout(() => fail(tooLate(job.url)), timeoutMs);
    let limit: NodeJS.Timeout | undefined;
    const begin = () => {
      const problem = `it takes longer than ${TIME_LIMIT_MS} ms to read`;
      limit = setTimeout(() => fail(unreadable(job.url, problem)), TIME_LIMIT_MS);
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    worker.removeAllListeners();
    worker.on('message', (said: WorkerMessage) => (said === 'begun' ? begin() : settle(() => resolve(said))));
    worker.once('error', (error) => fail(unreadable(job.url, error.message)));
    worker.once('exit', () => fail(unreadable(job.url, 'its reader ended')));
    worker.postMessage(job);
  });
}

function endedBy(signal: AbortSignal, url: string): ToolcribError {
  return isTimeout(signal.reason)
    ? tooLate(url)
    : new ToolcribError('cancelled', `The caller went away while ${url} was read.`);
}

function tooLate(url: string): ToolcribError {
  return new ToolcribError('deadline_exceeded', `${url} was not read before the deadline of the call.`);
}

function unreadable(url: string, problem: string): ToolcribError {
  return new ToolcribError(
    'upstream_failed',
    `${url} cannot be turned into text: ${problem.slice(0, 200)}.`,
    {
      details: { kind: 'unreadable' },
    },
  );
}

/** Beside this file; the bundle holds no copy, so that its parts stay small. */
function startWorker(): Worker {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const beside = new URL(`./page-worker.${extension}`, import.meta.url);
  const built = new URL('../dist/web/direct/page-worker.js', import.meta.url);
  return new Worker(existsSync(beside) ? beside : built, {
    resourceLimits: RESOURCES,
    env: {},
    stdin: false,
  });
}
