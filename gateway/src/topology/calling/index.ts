export { describeArguments } from './describe-arguments.ts';
export { listLimitOf } from './list-limits.ts';
