import { writeFileSync } from 'node:fs';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { frontMatter, openSchool, type School } from './support/school.ts';

const CALLS = 1000;
const AT_ONCE = 8;
/** A thousand scripts are started, each with its sandbox: a slow machine takes half a minute. */
const TIMEOUT_MS = 90_000;

let school: School | undefined;
afterEach(async () => school?.close());

/** Three files that each say which version they are of; what a call answers shows which of them it met. */
const files = (version: number) => ({
  'tool-manifest.yaml': `version: 1
tools:
  - name: which
    description: Says which version it is of.
    access: read
    parameters: { type: object }
    script: which.sh
    args: ['${version}']
`,
  'which.sh': `#!/bin/sh
printf '{"manifest":%s,"script":%s,"data":%s}' "$1" ${version} "$(cat data.txt)"
`,
  'data.txt': `${version}`,
});

test(
  '1,000 calls while files change: no mixed version, no failed call',
  async () => {
    school = await openSchool({
      before: ({ skill }) => skill('versions', { 'SKILL.md': frontMatter('versions'), ...files(0) }),
    });
    const { gateway, folder } = school;
    await chmod(join(folder, 'teacher_skills/versions/which.sh'), 0o755);
    let called = 0;
    let written = 0;
    const seen = new Set<string>();
    const caller = async () => {
      while (called++ < CALLS) {
        const result = await gateway.call({ tool: 'which' });
        seen.add(JSON.stringify(result.kind === 'completed' ? (result.error ?? result.structured) : result));
      }
    };
    const callers = Promise.all(Array.from({ length: AT_ONCE }, caller));
    const writer = async () => {
      // one file after the other, as an editor or a checkout writes them; not by this busy event loop, in which a file may
      // stand empty for longer than the watch waits for quiet
      while (called < CALLS) {
        written += 1;
        for (const [name, text] of Object.entries(files(written)))
          writeFileSync(join(folder, 'teacher_skills/versions', name), text);
        const before = called;
        await expect.poll(() => called >= Math.min(before + 25, CALLS), { interval: 5 }).toBe(true);
      }
    };
    await Promise.all([callers, writer()]);
    const answers = [...seen].map((text) => JSON.parse(text));
    const mixed = answers.filter(({ manifest, script, data }) => manifest !== script || script !== data);
    expect(mixed).toEqual([]);
    expect(answers.length).toBeGreaterThan(3);
    const last = await gateway.call({ tool: 'which' });
    expect(last).toMatchObject({ structured: { manifest: written, script: written, data: written } });
    expect(await readFile(join(folder, 'teacher_skills/versions/data.txt'), 'utf8')).toBe(`${written}`);
  },
  TIMEOUT_MS,
);
