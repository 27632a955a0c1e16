// The published package carries the quickstart; a checkout uses examples/quickstart itself.
import { cpSync, rmSync } from 'node:fs';

const target = new URL('../quickstart/', import.meta.url);
rmSync(target, { recursive: true, force: true });
cpSync(new URL('../../examples/quickstart/', import.meta.url), target, { recursive: true });
