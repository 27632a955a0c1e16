export { createTemplateAttempt, createTemplateReady } from './template-attempt.ts';
