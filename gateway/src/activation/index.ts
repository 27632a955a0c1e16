export { type ActivatedTools, createActivatedTools } from './activated-tools.ts';
