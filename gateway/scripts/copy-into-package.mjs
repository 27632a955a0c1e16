// What the published package carries of the checkout: the quickstart, the licence, and the front page.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const checkout = new URL('../../', import.meta.url);
const gateway = new URL('../', import.meta.url);
const HOME = 'https://github.com/toolcrib/toolcrib/blob/main/';

const quickstart = new URL('quickstart/', gateway);
rmSync(quickstart, { recursive: true, force: true });
mkdirSync(quickstart);
// what is served; what checks the example stays in the checkout, which uses examples/quickstart itself
for (const file of ['README.md', 'open-meteo.yaml', 'toolcrib.yaml']) {
  cpSync(new URL(`examples/quickstart/${file}`, checkout), new URL(file, quickstart));
}
cpSync(new URL('LICENSE', checkout), new URL('LICENSE', gateway));
const readme = readFileSync(new URL('README.md', checkout), 'utf8');
writeFileSync(new URL('README.md', gateway), readme.replace(/\]\((?!\w+:|#)/g, `](${HOME}`));
