import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const BESIDE = fileURLToPath(new URL('../../../shared/data', import.meta.url));
const PACKED = [
  { name: 'GitHub Enterprise 2.21', file: 'openapi/github-ghes-2.21.json' },
  { name: 'Kubernetes 1.10', file: 'openapi/kubernetes-1.10.yaml' },
  { name: 'croit', file: 'croit/openapi.json' },
];

/** GitHub's document from the benches' own packages, and those that lie beside the repository; what is absent is skipped. */
export function documents(folder) {
  const found = [];
  const github = fromPackages();
  if (github === undefined) console.error('GitHub is skipped: run `npm ci --ignore-scripts` in bench/.');
  else found.push({ name: 'GitHub', file: github });
  for (const { name, file } of PACKED) {
    const packed = join(BESIDE, `${file}.gz`);
    if (!existsSync(packed)) {
      console.error(`${name} is skipped: the document does not lie beside the repository.`);
      continue;
    }
    const plain = join(folder, file.replace('/', '-'));
    writeFileSync(plain, gunzipSync(readFileSync(packed)));
    found.push({ name, file: plain });
  }
  return found;
}

function fromPackages() {
  try {
    const place = createRequire(import.meta.url).resolve('@octokit/openapi/package.json');
    return join(dirname(place), 'generated/api.github.com.json');
  } catch {
    return undefined;
  }
}
