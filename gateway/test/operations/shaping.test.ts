import { describe, expect, it } from 'vitest';
import { type JsonObject, takeShapingArguments } from '../../src/operations/index.ts';

const plain = { input: { type: 'object', properties: { status: {} } } };

describe('reserved arguments of shaped tools', () => {
  it('are taken out of the arguments', () => {
    const taken = takeShapingArguments(
      {
        status: 'x',
        _filter_status: 'error',
        _filter__text: 'timeout',
        _filter_size: '>1000',
        _fields: ['id', 'owner.name'],
        _limit: 5,
        _cursor: 'c',
        _pages: 3,
        no_optimize: true,
      },
      plain,
    );
    expect(taken).toEqual({
      arguments: { status: 'x' },
      request: {
        filters: { status: 'error', _text: 'timeout', size: '>1000' },
        fields: ['id', 'owner.name'],
        limit: 5,
        cursor: 'c',
        pages: 3,
        off: true,
      },
    });
  });

  it('may be text where a client sends text', () => {
    const { request } = takeShapingArguments(
      { _fields: 'id, name', _limit: '7', _pages: '2', no_optimize: 'false' },
      plain,
    );
    expect(request).toEqual({ fields: ['id', 'name'], limit: 7, pages: 2, off: false });
  });

  it("are the operation's own where it has a parameter of that name", () => {
    const own = {
      input: { type: 'object', properties: { _limit: {}, _filter_status: {}, no_optimize: {} } },
    };
    const args = { _limit: 'all', _filter_status: 'x', no_optimize: 'yes' };
    expect(takeShapingArguments(args, own)).toEqual({ arguments: args, request: {} });
  });

  it('leave everything else alone, such as names that only look like them', () => {
    const args = JSON.parse(
      '{"_filter":"a eq 1","_filter_":"x","__proto__":{"a":1},"constructor":1}',
    ) as JsonObject;
    const taken = takeShapingArguments(args, plain);
    expect(JSON.stringify(taken.arguments)).toBe(JSON.stringify(args));
    expect(taken.request).toEqual({});
  });

  it.each<[JsonObject, string]>([
    [{ _limit: 0 }, 'Argument _limit takes a whole number from 1 to 1000.'],
    [{ _limit: 1001 }, 'from 1 to 1000'],
    [{ _limit: 1.5 }, 'from 1 to 1000'],
    [{ _pages: 21 }, 'from 1 to 20'],
    [{ _fields: [] }, 'takes 1 to 100 field names'],
    [{ _fields: [1] }, 'takes 1 to 100 field names'],
    [{ _cursor: 5 }, 'takes next_cursor of an earlier answer'],
  ])('%j is refused', (args, message) => {
    expect(() => takeShapingArguments(args, plain)).toThrow(
      expect.objectContaining({ code: 'arguments_invalid', message: expect.stringContaining(message) }),
    );
  });
});
