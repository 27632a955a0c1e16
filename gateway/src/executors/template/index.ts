export { createTemplateAttempt, type TemplateAttemptParts } from './template-attempt.ts';
