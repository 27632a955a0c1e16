export { hasEnded, type Task, type TaskEnd, type TaskStatus } from './task.ts';
export { createTasks, type RunningTask, type Tasks, type TaskWork } from './tasks.ts';
