export * from './check.ts';
export * from './names.ts';
export { parseTemplate } from './parse.ts';
export * from './render-arguments.ts';
export * from './render-request.ts';
export * from './render-tree.ts';
export * from './scope.ts';
export { renderText, type TemplateValues } from './values.ts';
