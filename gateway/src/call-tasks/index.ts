export type { Task, TaskEnd } from './task.ts';
export { createTasks, type RunningTask, type Tasks, type TaskWork } from './tasks.ts';
