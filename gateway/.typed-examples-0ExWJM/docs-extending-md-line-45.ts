import { createGateway, type SourceKind } from 'toolcrib';
import { z } from 'zod';

const config = z.strictObject({ path: z.string() });

const folders: SourceKind<z.infer<typeof config>> = {
  kind: 'folders',
  config,
  async describe({ path }, { reader, signal }) {
    const bytes = await reader.read(path, signal);
    throw new Error(`What ${bytes.length} bytes describe is for you to say: see the skeleton.`);
  },
};

await createGateway({ sources: { papers: { folders: { path: './papers' } } } }, { sourceKinds: [folders] });
