// A manual check against the real services; no part of CI. node gateway/scripts/live-web.mjs [brave] [jina] [direct]
// BRAVE_API_KEY is needed for brave; JINA_API_KEY is used where it is set. Exits 1 when something does not hold.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';

const built = new URL('../dist/index.js', import.meta.url);
const { BraveSearchProvider, DirectScraper, JinaReaderProvider } = await import(
  existsSync(built) ? built.href : new URL('../src/index.ts', import.meta.url).href
);

/** Pages that change seldom, with words that stand on them. */
const KNOWN = [
  ['https://example.com/', /documentation examples|illustrative examples/i],
  ['https://www.rfc-editor.org/rfc/rfc9309.txt', /Robots Exclusion Protocol/i],
  ['https://en.wikipedia.org/wiki/Tide', /gravitational/i],
];
const QUESTIONS = 5;

const checks = { brave, jina, direct };
const chosen = process.argv.slice(2);
let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  try {
    console.log(`${name}: ${await check()}`);
  } catch (error) {
    failed++;
    console.error(`${name}: FAILED ${error.code ?? ''} ${error.message}`);
  }
}
process.exitCode = failed === 0 ? 0 : 1;

/** More questions at once than the plan lets through: each is answered in its turn, none is lost to a 429. */
async function brave() {
  if (!process.env.BRAVE_API_KEY) return 'skipped, BRAVE_API_KEY is not set';
  const provider = new BraveSearchProvider();
  const started = Date.now();
  const deadline = started + 60_000;
  const answers = await Promise.all(
    Array.from({ length: QUESTIONS }, (_, index) =>
      provider.search(`tides in port number ${index + 1}`, 5, { deadline, patienceMs: 60_000 }),
    ),
  );
  await provider.close();
  for (const { results, citations } of answers) {
    assert.ok(results.length > 0, 'an answer without results');
    assert.equal(citations.length, results.length);
    for (const { title, snippet } of results)
      assert.doesNotMatch(`${title} ${snippet}`, /&(amp|quot|#\d+);|<strong>/);
  }
  return `${QUESTIONS} questions at once, all answered in ${Date.now() - started} ms`;
}

async function jina() {
  const apiKey = process.env.JINA_API_KEY ? { apiKey: { env: 'JINA_API_KEY' } } : {};
  return scrapeAll(new JinaReaderProvider(apiKey));
}

async function direct() {
  return scrapeAll(new DirectScraper());
}

async function scrapeAll(provider) {
  const times = [];
  for (const [url, expected] of KNOWN) {
    const started = Date.now();
    const page = await provider.scrape(url, { deadline: Date.now() + 60_000 });
    assert.match(page.content, expected, url);
    assert.match(page.contentHash, /^sha256:[0-9a-f]{64}$/);
    times.push(`${new URL(url).hostname} ${Date.now() - started} ms`);
  }
  await assert.rejects(provider.scrape('http://169.254.169.254/latest/meta-data/'), {
    code: 'egress_blocked',
  });
  await provider.close();
  return times.join(', ');
}
