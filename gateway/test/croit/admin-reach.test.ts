import { describeReachability } from './support/reachability.ts';

describeReachability('admin');
