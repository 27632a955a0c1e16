import type { Grants, Invocation, OperationFacts, PolicyCheck, SourceGrant } from '../operations/index.ts';

/** What policy reads of an operation; an Operation fits. */
export interface PolicyFacts extends Pick<OperationFacts, 'access' | 'requirements' | 'source' | 'skill'> {
  readonly invocation?: Pick<Invocation, 'kind'>;
}

/** What is known of an operation beyond its facts. */
export interface OperationState {
  /** Its changed definition waits for acceptance. */
  readonly quarantined?: boolean;
  /** Whether its path is on the blocklist, and which entry; absent: not looked at here. */
  readonly blocked?: string | false;
}

/** One operation in front of one principal's grants. */
export interface Question {
  readonly operation: PolicyFacts;
  readonly grants: Grants;
  /** What is granted on the operation's source. */
  readonly grant: SourceGrant | undefined;
  readonly state: OperationState;
}

/** One thing that decides. `passes` runs at every call; the texts are made for an explanation only. */
export interface Factor {
  readonly check: PolicyCheck['check'];
  /** Absent: always. */
  readonly applies?: (question: Question) => boolean;
  readonly passes: (question: Question) => boolean;
  readonly value: (question: Question) => string;
  readonly needed: (question: Question) => string;
  readonly change: (question: Question) => string;
}
