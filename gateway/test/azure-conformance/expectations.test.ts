import { describe } from 'vitest';
import { describeExpectations } from '../azure-seed/expectations/at-the-double.ts';
import { CAPTURED, hasCaptured } from './support/documents.ts';

describe.skipIf(!hasCaptured)('captured connectors, against the double', () =>
  describeExpectations(CAPTURED),
);
