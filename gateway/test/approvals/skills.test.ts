import { describe } from 'vitest';
import { onEveryStore } from '../store/support/stores.ts';
import { sharedSkillCases, skillCases } from './skill-cases.ts';

describe('agreements to skills', () => {
  onEveryStore(({ open }) => {
    skillCases(open);
    sharedSkillCases(open);
  });
  describe('memory', () => skillCases(async () => undefined));
});
