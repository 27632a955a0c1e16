import { describe } from 'vitest';
import { onEveryStore } from '../../store/support/stores.ts';
import { approveCases } from './approve-cases.ts';

describe('approveLayer', () => {
  onEveryStore(({ open }) => approveCases(open));
  describe('memory', () => approveCases(async () => undefined));
});
