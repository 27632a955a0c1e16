// The process behind run-compile-process.ts: reads, compiles and encodes one source, answers in parts, ends.
import module from 'node:module';
import type { CompileAnswer, CompileJob } from './run-compile-process.ts';

module.enableCompileCache?.();
const { compileJob } = await import('./compile-job.ts');

/** Resolves when the message has been taken over: what is compiled next would keep it waiting. */
const answer = (message: CompileAnswer): Promise<void> =>
  new Promise((resolve) => {
    if (process.send?.(message, () => resolve()) === undefined) resolve();
  });

process.once('message', async (job) => {
  await compileJob(job as CompileJob, answer);
  process.disconnect();
});
