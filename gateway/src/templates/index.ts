export * from './check.ts';
export * from './names.ts';
export { parseTemplate, type TemplateNamespace } from './parse.ts';
export * from './render-arguments.ts';
export * from './render-request.ts';
export * from './render-tree.ts';
export * from './scope.ts';
export { renderText, type TemplatePath, type TemplatePlace, type TemplateValues } from './values.ts';
