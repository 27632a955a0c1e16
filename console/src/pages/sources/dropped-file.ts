import { ApiError } from '../../api/api-error.ts';
import { zipOf } from './zip-folder.ts';

/** What a file is for, by its name: what it holds is judged by the gateway. Throws ApiError for any other. */
export function kindOfFile({ name }: Pick<File, 'name'>): 'document' | 'skill' {
  if (/(?:\.zip|\.tgz|\.tar\.gz|\.skill)$/i.test(name) || /^SKILL\.md$/i.test(name)) return 'skill';
  if (/\.(?:json|ya?ml)$/i.test(name)) return 'document';
  throw new ApiError(0, {
    code: 'source_invalid',
    message: `${name} is neither an OpenAPI document nor a skill.`,
    next: 'Give a document that ends with .json, .yaml or .yml, an archive of a skill, or its SKILL.md.',
  });
}

/** The first thing that was dropped; a folder becomes an archive. Asked for at once: it is gone after the event. */
export function droppedFile(transfer: DataTransfer): Promise<File> {
  const [item] = [...transfer.items].filter(({ kind }) => kind === 'file');
  const entry = item?.webkitGetAsEntry() ?? null;
  const [file] = transfer.files;
  if (entry?.isDirectory) return zipOf(entry as FileSystemDirectoryEntry);
  if (file !== undefined) return Promise.resolve(file);
  return Promise.reject(
    new ApiError(0, { code: 'request_invalid', message: 'Nothing that could be read was dropped.' }),
  );
}
