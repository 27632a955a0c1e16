import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchFiles } from '../../src/catalog/watch-files.ts';

let folder: string;
let stop = () => {};
let changes: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolcrib-watch-'));
});
afterEach(() => {
  stop();
  rmSync(folder, { recursive: true });
});

const at = (...names: string[]) => join(folder, ...names);

function follow(...names: string[]): void {
  changes = 0;
  stop = watchFiles([at(...names)], () => changes++);
}

/** The change is told; changes of later steps are counted from here. */
async function told(): Promise<void> {
  await expect.poll(() => changes).toBeGreaterThan(0);
  await quiet();
  changes = 0;
}

/** Longer than changes take to settle. */
const quiet = () => delay(200);

describe('a watched file', () => {
  it('tells a change, one that comes with its replacement, and one that comes later', async () => {
    writeFileSync(at('a.yaml'), '1');
    follow('a.yaml');
    writeFileSync(at('a.yaml'), '2');
    await told();
    writeFileSync(at('.a.swp'), '3');
    renameSync(at('.a.swp'), at('a.yaml'));
    await told();
    writeFileSync(at('a.yaml'), '4');
    await told();
  });

  it('is known by the name that its file system tells, and in a folder of any name', async () => {
    mkdirSync(at('a\\b'));
    follow('a\\b', 'Caf\u00e9.yaml');
    writeFileSync(at('a\\b', 'cafe\u0301.yaml'), '1');
    await told();
  });

  it('tells nothing of its neighbours, nor after the end', async () => {
    writeFileSync(at('a.yaml'), '1');
    follow('a.yaml');
    writeFileSync(at('b.yaml'), '1');
    await quiet();
    expect(changes).toBe(0);
    stop();
    writeFileSync(at('a.yaml'), '2');
    await quiet();
    expect(changes).toBe(0);
  });

  it('that is not there yet tells when it is', async () => {
    follow('specs', 'v1', 'a.yaml');
    mkdirSync(at('specs', 'v1'), { recursive: true });
    await told();
    writeFileSync(at('specs', 'v1', 'a.yaml'), '1');
    await told();
  });

  it.each([
    ['removed', () => rmSync(at('specs'), { recursive: true })],
    ['moved away', () => renameSync(at('specs'), at('old'))],
  ])('whose folder is %s tells that, and what comes in its place', async (_how, leave) => {
    mkdirSync(at('specs'));
    writeFileSync(at('specs', 'a.yaml'), '1');
    follow('specs', 'a.yaml');
    leave();
    await told();
    mkdirSync(at('specs'));
    await told();
    writeFileSync(at('specs', 'a.yaml'), '2');
    await told();
    writeFileSync(at('specs', 'a.yaml'), '3');
    await told();
  });

  it('whose folder is swapped for another at once tells that, and changes in the new one', async () => {
    for (const name of ['specs', 'next']) {
      mkdirSync(at(name));
      writeFileSync(at(name, 'a.yaml'), name);
    }
    follow('specs', 'a.yaml');
    renameSync(at('specs'), at('old'));
    renameSync(at('next'), at('specs'));
    await told();
    writeFileSync(at('specs', 'a.yaml'), '3');
    await told();
  });
});

describe.skipIf(process.platform === 'win32')('a watched link', () => {
  it('tells when the file that it leads to changes', async () => {
    mkdirSync(at('real'));
    writeFileSync(at('real', 'x.yaml'), '1');
    symlinkSync('real/x.yaml', at('a.yaml'));
    follow('a.yaml');
    writeFileSync(at('real', 'x.yaml'), '2');
    await told();
  });

  it('tells when it leads elsewhere', async () => {
    for (const name of ['one.yaml', 'two.yaml']) writeFileSync(at(name), name);
    symlinkSync('one.yaml', at('a.yaml'));
    follow('a.yaml');
    symlinkSync('two.yaml', at('.next'));
    renameSync(at('.next'), at('a.yaml'));
    await told();
    writeFileSync(at('two.yaml'), '3');
    await told();
  });

  it('tells a configuration that is mounted and swapped as a whole', async () => {
    // as Kubernetes mounts a ConfigMap: the file is a link through `..data`, which is replaced
    const mount = (version: string) => {
      mkdirSync(at(version));
      writeFileSync(at(version, 'toolcrib.yaml'), version);
      symlinkSync(version, at('..data_tmp'));
      renameSync(at('..data_tmp'), at('..data'));
    };
    mount('..2026_01');
    symlinkSync('..data/toolcrib.yaml', at('toolcrib.yaml'));
    follow('toolcrib.yaml');
    for (const version of ['..2026_02', '..2026_03']) {
      mount(version);
      await told();
    }
  });

  it('that leads to itself is no trouble', async () => {
    symlinkSync('a.yaml', at('a.yaml'));
    follow('a.yaml');
    rmSync(at('a.yaml'));
    writeFileSync(at('a.yaml'), '1');
    await told();
  });
});
