export { createTemplateAttempt } from './template-attempt.ts';
