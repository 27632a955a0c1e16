import {
  canonicalHash,
  type Diagnostic,
  isObject,
  type Json,
  type Result,
} from '../../../operations/index.ts';
import { wrapsOutput } from '../../function/json-schemas.ts';
import type { ToolPackage } from '../read-package.ts';
import type { GuideExample } from './tool-guide.ts';

/** A tool in a gateway of its own: every call goes through the whole router. */
export interface TriedTool {
  call(args: GuideExample['input']): Promise<Result>;
  close(): Promise<void>;
}

/** Calls the tool with each example of tool.md and holds what comes against what stands there. */
export async function runExamples(
  read: ToolPackage,
  examples: readonly GuideExample[],
  file: string,
  tried: TriedTool,
): Promise<Diagnostic[]> {
  const findings: Diagnostic[] = [];
  for (const example of examples) {
    const location = `${file}:${example.line}`;
    const say = (code: string, message: string, severity: Diagnostic['severity'] = 'error') =>
      findings.push({ code, severity, message: `Example "${example.title}": ${message}`, location });
    const result = await tried.call(example.input);
    if (result.kind === 'input_required') {
      say('example-not-run', 'the tool asks its client something, which lint cannot answer.', 'info');
      continue;
    }
    const { expected } = example;
    if (result.error !== undefined) {
      const { code, message } = result.error;
      if (expected !== undefined && 'error' in expected) {
        if (expected.error !== code) say('example-differs', `it ends as ${code}, not as ${expected.error}.`);
      } else if (code === 'approval_required') {
        say('example-not-run', 'a person must agree to this tool, and nobody is here.', 'info');
      } else say('example-failed', `it fails as ${code}: ${message}`);
      continue;
    }
    if (expected === undefined) continue;
    if ('error' in expected) {
      say('example-differs', `it should end as ${expected.error}, and succeeds.`);
      continue;
    }
    const answer = answerOf(read, result.structured ?? null);
    if (canonicalHash(answer) !== canonicalHash(expected.output))
      say('example-differs', `it answers ${shown(answer)}, not ${shown(expected.output)}.`);
  }
  return findings;
}

/** What the handler answered: an output whose root is no object is published under `result`. */
function answerOf({ contract }: ToolPackage, structured: Json): Json {
  return wrapsOutput(contract.output) && isObject(structured) ? (structured['result'] ?? null) : structured;
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}
