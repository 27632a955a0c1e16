// One call of a skill's script beyond the bare start of the same program: rendering, the frozen package, limits, the
// search for what it left behind; and what isolation costs. Runs the sources.
// node skill-call.mjs [--runs 60]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { resolveProgram } from '../gateway/src/executors/script/resolve-program.ts';
import { createScriptAttempt } from '../gateway/src/executors/script/script-attempt.ts';
import { DEFAULT_SKILL_POLICY, LOCAL_PRINCIPAL } from '../gateway/src/operations/index.ts';
import { bubblewrapArguments, isolationInForce } from '../gateway/src/sandbox/index.ts';
import { median, quantile, report, rounded } from './drivers/figures.mjs';

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '60' }, only: { type: 'string' } },
});
const RUNS = Number(options.runs);
const SCRIPTS = {
  bash: ['echo.sh', `read -r input; echo '{"ok":true,"data":{"n":1}}'\n`],
  python3: ['echo.py', 'import json, sys\nprint(json.dumps({"ok": True, "data": json.load(sys.stdin)}))\n'],
  node: [
    'echo.mjs',
    `import { readFileSync } from 'node:fs';\nconsole.log(JSON.stringify({ ok: true, data: JSON.parse(readFileSync(0, 'utf8')) }));\n`,
  ],
};
const INPUT = { n: 1 };
const SIGNAL = new AbortController().signal;
const attempts = {};
const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-skill-'));
const isolation = await isolationInForce();
const rows = [];

try {
  for (const [interpreter, [entry, text]] of Object.entries(SCRIPTS)) {
    writeFileSync(join(folder, entry), text);
    if (options.only !== undefined && options.only !== interpreter) continue;
    const found = await resolveProgram(interpreter);
    if (found === undefined) continue;
    const { program, read } = found;
    const args = [join(folder, entry)];
    const contenders = {
      'bare spawn': () => bare(program, args),
      'call, not isolated': () => called(interpreter, entry, 'permissive'),
    };
    if (isolation.available) {
      const profile = { network: false, read, write: [] };
      const command = { program, target: program, args, variables: {}, cwd: folder, isolation: profile };
      const wrapped = bubblewrapArguments(command);
      contenders['bare spawn of bwrap'] = () => bare(isolation.program, wrapped);
      contenders['call, isolated'] = () => called(interpreter, entry, 'strict');
    }
    rows.push(...(await measured(interpreter, contenders)));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

report('skill-call', rows, {
  runs: RUNS,
  isolation: isolation.available ? isolation.version : isolation.reason,
});

/** In turns, so that slow drift is shared. */
async function measured(interpreter, contenders) {
  const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  const names = Object.keys(contenders);
  for (let run = -5; run < RUNS; run++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + run + 5) % names.length];
      const started = performance.now();
      await contenders[name]();
      if (run >= 0) times[name].push(performance.now() - started);
    }
  }
  const against = (name) => times[name === 'call, isolated' ? 'bare spawn of bwrap' : 'bare spawn'];
  return names.map((name) => ({
    script: interpreter,
    what: name,
    'ms (median)': rounded(median(times[name]), 2),
    'ms (quartiles)': `${rounded(quantile(times[name], 0.25), 2)}–${rounded(quantile(times[name], 0.75), 2)}`,
    'to its bare spawn': ratio(times[name], against(name)),
    'to bare spawn': ratio(times[name], times['bare spawn']),
  }));
}

/** Of the fastest quarter's edge: what the program itself takes, whoever else is busy. */
function ratio(own, base) {
  return rounded(quantile(own, 0.25) / quantile(base, 0.25), 2);
}

/** What nobody could leave out: start, input, output, end. */
function bare(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { PATH: process.env.PATH },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => reject(new Error(chunk.toString())));
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(INPUT));
    child.on('error', reject);
    child.on('close', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
  });
}

async function called(interpreter, entry, mode) {
  attempts[mode] ??= attemptOf(mode);
  const attempt = attempts[mode];
  const invocation = {
    ...{ kind: 'script', skill: 'bench', version: 'sha256:0', network: false, timeoutMs: 20_000 },
    ...{ retry: { maxAttempts: 1, backoffMs: 0 }, entry, interpreter },
  };
  const outcome = await attempt(
    {
      ...{
        id: 'bench',
        principal: LOCAL_PRINCIPAL,
        tool: 'echo',
        arguments: INPUT,
        channel: {},
        dryRun: false,
      },
      ...{ operation: { id: 'bench/echo', source: 'skills', invocation }, depth: 0 },
    },
    { attempt: 1, deadline: Date.now() + 20_000, signal: SIGNAL, connection: {} },
  );
  if (outcome.kind !== 'done' || outcome.result.structured?.n !== 1) throw new Error(JSON.stringify(outcome));
}

function attemptOf(mode) {
  return createScriptAttempt({
    packages: { open: async () => ({ folder, release: () => undefined }) },
    secrets: { read: async () => '' },
    policy: () => ({ ...DEFAULT_SKILL_POLICY, mode }),
  });
}
