// Copies the pictures that docs/console.md shows from what the browser tests took:
// npx vitest run --project console-browser && node gateway/scripts/copy-pictures.mjs
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';

const page = new URL('../../docs/console.md', import.meta.url);
const taken = new URL('../../console/test/output/', import.meta.url);

mkdirSync(new URL('images/', page), { recursive: true });
for (const [, name] of readFileSync(page, 'utf8').matchAll(/\]\(images\/([\w-]+\.png)\)/g)) {
  const picture = new URL(name, taken);
  if (existsSync(picture)) copyFileSync(picture, new URL(`images/${name}`, page));
  console.log(existsSync(picture) ? `docs/images/${name}` : `${name}: no test has taken it yet`);
}
