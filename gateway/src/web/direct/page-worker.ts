import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../operations/text/message-of.ts';
import type { ReadablePage } from './page-markdown.ts';
import { allowedBy, type RobotsQuestion } from './robots-rules.ts';

/** One page to read, or a robots.txt too large to be judged between two requests. */
export type WorkerJob =
  | { readonly kind: 'page'; readonly html: string; readonly url: string }
  | ({ readonly kind: 'robots' } & RobotsQuestion);

export type WorkerAnswer =
  | { readonly page: ReadablePage }
  | { readonly allowed: boolean }
  | { readonly problem: string };

/** `begun`: the code is loaded, and what takes time from here on is the job's own. */
export type WorkerMessage = 'begun' | WorkerAnswer;

parentPort?.on('message', (job: WorkerJob) => {
  void answer(job).then(say, (error: unknown) => say({ problem: messageOf(error) }));
});

function say(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

async function answer(job: WorkerJob): Promise<WorkerAnswer> {
  if (job.kind === 'robots') {
    say('begun');
    return { allowed: await allowedBy(job) };
  }
  const { pageMarkdown } = await import('./page-markdown.ts');
  say('begun');
  return { page: pageMarkdown(job.html, job.url) };
}
