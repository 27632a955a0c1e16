import { describe, expect, expectTypeOf, it } from 'vitest';
import { DEFAULTS, type SourceKindName } from '../../src/config/defaults.ts';
import type { SourceInput } from '../../src/index.ts';
import { TOPOLOGIES } from '../../src/topology/registry.ts';

describe('names that a configuration can hold', () => {
  it('are known to the types of the library, every kind of source', () => {
    expectTypeOf<SourceKindName>().toExtend<keyof SourceInput>();
    expectTypeOf<{ skills: string }>().toExtend<SourceInput>();
    expectTypeOf<{ skils: string }>().not.toExtend<SourceInput>();
  });

  it('are those of the topologies that there are, and auto', () => {
    expect(DEFAULTS.topologies).toEqual(['auto', ...Object.keys(TOPOLOGIES)]);
  });
});
