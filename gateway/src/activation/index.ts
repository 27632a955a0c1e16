export type { ActivatedTools } from './activated-tools.ts';
export { createActivatedTools } from './create-activated-tools.ts';
