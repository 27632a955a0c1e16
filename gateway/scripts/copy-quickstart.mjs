// The published package carries the quickstart; a checkout uses examples/quickstart itself.
import { cpSync, mkdirSync, rmSync } from 'node:fs';

const target = new URL('../quickstart/', import.meta.url);
rmSync(target, { recursive: true, force: true });
mkdirSync(target);
// what is served; what checks the example stays in the checkout
for (const file of ['README.md', 'open-meteo.yaml', 'toolcrib.yaml']) {
  cpSync(new URL(`../../examples/quickstart/${file}`, import.meta.url), new URL(file, target));
}
