import { describe, expect, it } from 'vitest';
import { answerProblems, drawnSchema, startAnswer, titleOf } from '../../../src/pages/tools/question-form.ts';

const schema = drawnSchema({
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 3 },
    mail: { type: 'string', format: 'email' },
    page: { type: 'string', format: 'uri' },
    day: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    count: { type: 'integer', minimum: 1, maximum: 3, default: 2 },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2 },
    'a/b': { type: 'boolean' },
  },
});

describe('an answer', () => {
  it.each([
    [{ name: 'Ada' }, []],
    [{}, ['/name']],
    [{ name: 'A' }, ['/name']],
    [{ name: 'Adas' }, ['/name']],
    [{ name: '🙂🙂🙂' }, []],
    [{ name: 'Ada', mail: 'ada' }, ['/mail']],
    [{ name: 'Ada', mail: 'ada@example.com', page: 'https://example.com/', day: '2026-01-31' }, []],
    [{ name: 'Ada', page: 'example' }, ['/page']],
    [{ name: 'Ada', day: '2026-13-31' }, ['/day']],
    [{ name: 'Ada', day: '31.1.2026' }, ['/day']],
    [{ name: 'Ada', at: '2026-01-31' }, ['/at']],
    [{ name: 'Ada', at: '2026-01-31T09:30:00Z', count: 0 }, ['/count']],
    [{ name: 'Ada', count: 4, tags: [] }, ['/count', '/tags']],
    [{ name: 'Ada', count: 3, tags: ['a', 'b', 'c'] }, ['/tags']],
    [{ name: 'Ada', tags: ['a', 'b'], 'a/b': false }, []],
  ])('%j does not fit at %j', (answer, pointers) => {
    expect([...answerProblems(schema, answer).keys()]).toEqual(pointers);
  });
});

it('begins with the defaults of its form, and calls members by their titles', () => {
  expect(startAnswer(schema)).toEqual({ count: 2 });
  expect([titleOf('mail', { title: 'E-mail' }), titleOf('mail', { title: ' ' }), titleOf('mail', 5)]).toEqual(
    ['E-mail', 'mail', 'mail'],
  );
});

it.each([[undefined], [null], [5], [{ properties: 5 }], [{ type: 'object', properties: { a: 7 } }]])(
  'of no form that can be read (%j) asks for nothing that could fail',
  (requested) => {
    const drawn = drawnSchema(requested);
    expect([startAnswer(drawn), [...answerProblems(drawn, {})]]).toEqual([{}, []]);
  },
);
