import { createGateway, type SourceKind } from 'toolcrib';
import { z } from 'zod';

declare const folders: SourceKind<{ path: string }>; // `toolcrib new source folders` writes one to start from

const gateway = await createGateway(
  { sources: { papers: { folders: { path: './papers' } } } },
  { sourceKinds: [folders] },
);
console.log(z.toJSONSchema(folders.config), gateway.view().tools.length);
