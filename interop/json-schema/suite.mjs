import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where Debian's libtest-json-schema-acceptance-perl puts the suite of json-schema.org. */
const FOLDER = '/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance/tests';
const DRAFTS = ['draft4', 'draft6', 'draft7', 'draft2019-09', 'draft2020-12'];
/** `format` is an annotation here, as 2020-12 has it by default. */
const ANNOTATIONS = /^optional\/format(?:\/|-assertion\.json$)|^format\.json$/;

export function isInstalled() {
  return existsSync(FOLDER);
}

/** Every group of tests: a schema, and values that it takes or refuses. */
export function* groups(drafts = DRAFTS) {
  for (const draft of drafts) {
    const folder = join(FOLDER, draft);
    for (const file of readdirSync(folder, { recursive: true }).sort()) {
      if (!file.endsWith('.json') || ANNOTATIONS.test(file)) continue;
      for (const { description, schema, tests } of JSON.parse(readFileSync(join(folder, file), 'utf8'))) {
        yield { draft, file, group: description, schema, tests };
      }
    }
  }
}
