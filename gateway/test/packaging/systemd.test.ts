import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../src/errors.ts';
import { textOf } from './repository.ts';

const unit = textOf('packaging/systemd/toolcrib.service');
const value = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1];
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

describe('the systemd unit', () => {
  it('gives the program a user and a state of its own, and nothing else', () => {
    for (const key of ['DynamicUser', 'NoNewPrivileges', 'PrivateTmp', 'PrivateDevices', 'ProtectHome'])
      expect(value(key), key).toBe('yes');
    expect(value('ProtectSystem')).toBe('strict');
    expect(value('StateDirectory')).toBe('toolcrib');
    // where the gateway keeps its state: XDG_STATE_HOME/toolcrib
    expect(value('Environment')).toContain('XDG_STATE_HOME=/var/lib');
    expect(value('CapabilityBoundingSet')).toBe('');
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute/m);
  });

  it('finds the program where npm puts it, /usr/local/bin or /usr/bin', () => {
    expect(value('ExecStart')).toMatch(/^toolcrib serve /);
  });

  it('does not start again where only a person can mend it', () => {
    expect(value('RestartPreventExitStatus')).toBe(String(ERRORS.configuration_invalid.exit));
  });

  it('says what bubblewrap needs, since namespaces are closed', () => {
    expect(value('RestrictNamespaces')).toBe('yes');
    expect(unit).toMatch(/bubblewrap.*user namespaces/);
  });

  it.skipIf(!hasSystemd)('is one that systemd understands', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'toolcrib-unit-'));
    try {
      const file = join(folder, 'toolcrib.service');
      // the program is not installed here
      await writeFile(file, unit.replace(/^ExecStart=\S+/m, `ExecStart="${process.execPath}"`));
      const run = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
      const about = run.stderr.split('\n').filter((line) => line.includes('toolcrib.service'));
      expect(about).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.skipIf(!hasSystemd)('is rated as well shut in', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'toolcrib-unit-'));
    try {
      const file = join(folder, 'toolcrib.service');
      await writeFile(file, unit);
      const args = ['security', '--offline=true', '--no-pager', file];
      const rated = execFileSync('systemd-analyze', args, { encoding: 'utf8' });
      const [, exposure = '10'] = /exposure level for toolcrib\.service: ([\d.]+)/.exec(rated) ?? [];
      expect(Number(exposure)).toBeLessThan(3);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
