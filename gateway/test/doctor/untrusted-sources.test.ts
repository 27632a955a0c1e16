import { expect, it } from 'vitest';
import { parseConfiguration } from '../../src/config/index.ts';
import { checkUntrustedSources } from '../../src/doctor/untrusted-sources.ts';

const found = async (policy: object, untrusted: object) => {
  const sources = { web: { web: { scrape: 'direct' } }, wiki: { openapi: './wiki.json' } };
  const context = { env: {}, baseDirectory: '/base' };
  return checkUntrustedSources(
    await parseConfiguration({ sources, policy, output: { untrusted } }, context),
  ).map(({ status, message }) => `${status}: ${message}`);
};

it('sources that are there are nothing to speak of', async () => {
  const taint = { writes: 'ask', sources: ['web', 'wiki'] };
  expect(await found({ taint }, { sources: { wiki: { markdown: 'strip' } } })).toEqual([]);
  expect(await found({ taint: { writes: 'ask' } }, {})).toEqual([]);
});

it('names those that are not, and what is lost by it', async () => {
  const taint = { writes: 'ask', sources: ['web', 'wkii'] };
  expect(await found({ taint }, { sources: { cms: { trusted: true } } })).toEqual([
    'warning: policy.taint.sources names wkii, which is no source. Did you mean "wiki"? Nobody is asked before something is changed after its content was read.',
    'warning: output.untrusted.sources names cms, which is no source. What is said of it holds for none.',
  ]);
});
