// The process behind run-compile-process.ts: reads, compiles and encodes one source, answers once, ends.
import module from 'node:module';
import type { CompileJob, CompileOutcome } from './run-compile-process.ts';

module.enableCompileCache?.();
const { compileJob } = await import('./compile-job.ts');

process.once('message', async (job) => {
  const outcome: CompileOutcome = await compileJob(job as CompileJob);
  process.send?.(outcome, () => process.disconnect());
});
