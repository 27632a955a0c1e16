// The process behind run-compile-process.ts: reads, compiles and encodes one source, answers in parts, ends.
import module from 'node:module';
import { enableNodeCompileCache } from '../node-compile-cache.ts';
import type { CompileAnswer, CompileJob } from './run-compile-process.ts';

enableNodeCompileCache();
const { compileJob } = await import('./compile-job.ts');

/** Resolves when the message has been taken over: what is compiled next would keep it waiting. */
const answer = (message: CompileAnswer): Promise<void> =>
  new Promise((resolve) => {
    if (process.send?.(message, () => resolve()) === undefined) resolve();
  });

/** The last answer ends this process from the other side: Node's compile cache is written before, once it knows the code. */
const answerAndKeep = (message: CompileAnswer): Promise<void> => {
  if ('details' in message) module.flushCompileCache?.();
  return answer(message);
};

// the gateway has ended, maybe while this was compiling for it
process.once('disconnect', () => process.exit());

process.once('message', async (job) => {
  await compileJob(job as CompileJob, answerAndKeep);
  if (process.connected) process.disconnect();
});
