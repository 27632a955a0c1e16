// The script runner for the independent checks: as strict as this machine allows, or as it is where
// TOOLCRIB_TEST_ISOLATION=none simulates one that cannot isolate.
import { resolveProgram } from '../../src/executors/script/resolve-program.ts';
import { runScript as run } from '../../src/executors/script/run-script.ts';
import { isolationInForce } from '../../src/sandbox/index.ts';

const INTERPRETERS = { bash: 'bash', python3: 'python3', [process.execPath]: 'node' };

export async function runScript({ dir, file, command, stdin, env, timeoutMs, maxOutputBytes }) {
  const isIsolated = process.env.TOOLCRIB_TEST_ISOLATION !== 'none' && (await isolationInForce()).available;
  const interpreter = INTERPRETERS[command[0]];
  const found = interpreter === undefined ? undefined : await resolveProgram(interpreter, process.env.PATH);
  const { program, read } = found ?? { program: command[0], read: [] };
  return run({
    program,
    args: [file],
    cwd: dir,
    env,
    stdin,
    timeoutMs,
    maxOutputBytes,
    signal: new AbortController().signal,
    isolation: isIsolated ? { network: false, read, write: [] } : 'none',
  });
}
