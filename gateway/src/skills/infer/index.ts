export * from './infer-manifest.ts';
