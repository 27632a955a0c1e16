import { expect, it } from 'vitest';
import { redact } from '../../src/telemetry/redact.ts';

const of = (prefix: string, length: number) => prefix + 'aB3dE5fG7h'.repeat(10).slice(0, length);

it.each([
  of('tck_', 49),
  of('tca_', 43),
  of('ghp_', 36),
  of('github_pat_', 40),
  of('glpat-', 20),
  of('xoxb-', 24),
  of('sk-ant-api03-', 40),
  of('sk-proj-', 40),
  of('sk-', 48),
  of('sk_live_', 24),
  of('AIza', 35),
  of('npm_', 36),
  of('hf_', 34),
  of('whsec_', 32),
  `SG.${of('', 22)}.${of('', 43)}`,
])('%s is found wherever it stands', (token) => {
  for (const text of [token, `use ${token} please`, `["${token}"]`, `https://x.test/${token}?a=b`]) {
    expect(JSON.stringify(redact({ note: text }, []))).not.toContain(token.slice(0, 24));
  }
  expect(redact(`use ${token}, please`, [])).toBe('use [redacted], please');
});

it('shows no link with which an approval is decided', () => {
  const link = `https://tools.acme.test/approve/${of('', 72)}`;
  expect(redact(`open ${link}`, [])).not.toContain(of('', 24));
});

it.each([
  'sk-learn and task-manager-of-the-whole-company',
  'npm_config_nodedir',
  'approve/reject',
  'hf_hub',
  'ghp_',
])('%s is none', (text) => {
  expect(redact(text, [])).toBe(text);
});
