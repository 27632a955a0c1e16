export { bubblewrapArguments, HOME, isWithin } from './bubblewrap-arguments.ts';
export { findProgram } from './find-program.ts';
export { type IsolationStatus, isolationStatus } from './isolation-status.ts';
export { endProcess, hasExited, signalGroup } from './process-group.ts';
