import { expect, test } from 'vitest';
import type { AccessChange } from '../../../../gateway/src/principals/access/access-records.ts';
import type { Level } from '../../../../gateway/src/principals/directory/records.ts';
import {
  editedLevel,
  isEdited,
  levelChange,
  subjectOf,
  withEdit,
  without,
} from '../../../src/pages/access/edits.ts';
import { placeAfter } from '../../../src/pages/access/grid-keys.ts';
import { changeWords } from '../../../src/pages/access/level-words.ts';

const off = (user: string | null, scope = 'source:desk'): AccessChange => ({
  kind: 'level',
  user,
  scope,
  level: 'disabled',
});

test('a later edit of the same thing takes the place of the first', () => {
  const again: AccessChange = { kind: 'level', scope: 'source:desk', level: null };
  const changes = withEdit(
    withEdit([off('ben'), off(null)], { ...off('ben'), level: 'none' } as never),
    again,
  );
  expect(changes).toEqual([{ ...off('ben'), level: 'none' }, again]);
  expect(editedLevel(changes, null, 'source:desk')).toBeNull();
  expect(editedLevel(changes, 'ann', 'source:desk')).toBeUndefined();
  expect(without(changes, subjectOf(off(null)))).toEqual([{ ...off('ben'), level: 'none' }]);
});

test('an edit back to what is stored is none', () => {
  const levels: Level[] = [
    { organisation: 'acme', user: null, scope: 'source:desk', level: 'disabled', updatedAt: '' },
  ];
  expect(levelChange(levels, null, 'source:desk', 'disabled')).toBeUndefined();
  expect(levelChange(levels, 'ben', 'source:desk', 'disabled')).toEqual(off('ben'));
  expect(levelChange(levels, 'ben', 'source:desk', null)).toBeUndefined();
  expect(levelChange(levels, null, 'source:desk', null)).toMatchObject({ level: null });
});

test('a cell is edited by its source, its category, every category and its person', () => {
  const desk = { name: 'desk', category: 'office' };
  expect(isEdited([off('ben')], 'ben', desk)).toBe(true);
  expect(isEdited([off('ben', 'category:*')], 'ben', desk)).toBe(true);
  expect(isEdited([off('ben', 'category:ats'), off(null)], 'ben', desk)).toBe(false);
  expect(isEdited([{ kind: 'user', user: 'ben', status: 'disabled' }], 'ben', desk)).toBe(true);
});

test('changes are said in words', () => {
  const words = (change: AccessChange) => changeWords(change, (user) => user.toUpperCase());
  expect(words(off(null, 'category:*'))).toBe('Organisation, every other category: Switched off');
  expect(words({ kind: 'level', user: 'ben', scope: 'category:ats', level: null })).toBe(
    'BEN, category ats: Not set',
  );
  expect(words({ kind: 'user', user: 'ben', roles: [], status: 'disabled' })).toBe(
    'BEN: roles none; disabled',
  );
  expect(words({ kind: 'feature', feature: 'beta', enabled: true })).toBe('Feature beta: on');
});

test('keys lead through the grid and never out of it', () => {
  const size = { rows: 3, columns: 4 };
  const from = { row: 1, column: 1 };
  const after = (key: string, control = false) => placeAfter(key, control, from, size);
  expect(after('ArrowUp')).toEqual({ row: 0, column: 1 });
  expect(after('End')).toEqual({ row: 1, column: 3 });
  expect(after('Home', true)).toEqual({ row: 0, column: 0 });
  expect(after('End', true)).toEqual({ row: 2, column: 3 });
  expect(after('PageDown')).toEqual({ row: 2, column: 1 });
  expect(placeAfter('ArrowRight', false, { row: 0, column: 3 }, size)).toEqual({ row: 0, column: 3 });
  expect(after('Enter')).toBeUndefined();
});
