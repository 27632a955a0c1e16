import { describe, expect, it } from 'vitest';
import { decodeCompiled, encodeCompiled } from '../../src/catalog/compiled-codec.ts';
import type { CompiledSource } from '../../src/compiler/compiled-source.ts';
import type { Operation } from '../../src/operations/index.ts';
import { compiledTool, plainOperation } from './compiled-source.ts';

const pet = { type: 'object', properties: { id: { type: 'integer' } } };

function operation(id: string): Operation {
  return {
    ...plainOperation(id, 'shop'),
    output: { type: 'object', properties: { pet: { $ref: '#/$defs/Pet' } }, $defs: { Pet: pet } },
    tags: ['pets'],
  };
}

function source(...ids: string[]): CompiledSource {
  return {
    name: 'shop',
    kind: 'openapi',
    fingerprint: 'sha256:0',
    skipped: [],
    diagnostics: [],
    resources: [],
    resourceTemplates: [],
    prompts: [],
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    tools: ids.map((id) => compiledTool(operation(id))),
  };
}

function decode(encoded: ReturnType<typeof encodeCompiled>) {
  const reads: number[] = [];
  const decoded = decodeCompiled(encoded.index, {
    length: encoded.details.length,
    read(offset, length) {
      reads.push(offset);
      return Buffer.from(encoded.details.subarray(offset, offset + length)).toString('utf8');
    },
  });
  return { decoded: decoded!, reads };
}

describe('a compiled source as bytes', () => {
  it('comes back as it was', () => {
    const before = source('a', 'ü');
    const { decoded } = decode(encodeCompiled(before));
    const { tools, ...rest } = decoded;
    const { tools: tools0, ...rest0 } = before;
    expect(rest).toEqual(rest0);
    expect(tools.map((t) => [t.tool, t.facts, t.operation()])).toEqual(
      tools0.map((t) => [t.tool, t.facts, t.operation()]),
    );
  });

  it('keeps what it says of the provider behind it', () => {
    const provider = {
      provider: 'shop',
      displayName: 'Shop',
      category: 'crm',
      baseUrl: 'https://shop.example.com',
      blocklist: ['/users'],
      regions: { eu: { baseUrl: 'https://eu.shop.example.com' } },
      rateLimit: { requests: 5, windowSeconds: 1 },
      actingUser: { in: 'header', name: 'On-Behalf-Of' },
    } as const;
    expect(decode(encodeCompiled({ ...source('a'), provider })).decoded.provider).toEqual(provider);
    expect(decode(encodeCompiled(source('a'))).decoded.provider).toBeUndefined();
  });

  it('reads an operation only when it is asked for, and once', () => {
    const { decoded, reads } = decode(encodeCompiled(source('a', 'b')));
    expect(reads).toEqual([]);
    decoded.tools[1]!.operation();
    const once = reads.length;
    decoded.tools[1]!.operation();
    expect(reads.length).toBe(once);
  });

  it('holds a shared definition once', () => {
    const one = encodeCompiled(source('a')).details.length;
    const many = encodeCompiled(source('a', 'b', 'c')).details.length;
    expect(many).toBeLessThan(one * 3);
    expect(
      Buffer.from(encodeCompiled(source('a', 'b', 'c')).details)
        .toString()
        .split('"integer"'),
    ).toHaveLength(2);
  });

  it('is refused in another version', () => {
    const { index } = encodeCompiled(source('a'));
    const other = new TextEncoder().encode(
      new TextDecoder().decode(index).replace(/"version":\d+/, '"version":0'),
    );
    expect(decodeCompiled(other, { length: 0, read: () => '' })).toBeUndefined();
  });
});
