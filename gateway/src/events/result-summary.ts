import type { CompletedResult, ContentBlock, Json } from '../operations/index.ts';

const MEDIA_TYPE = /^(?:application|audio|font|image|message|model|multipart|text|video)\/[\w.+-]{1,60}$/;

/** One line about the shape of a result, for the end event of its call. Never anything of its content. */
export function summarise({ content, structured, error }: CompletedResult): string {
  const length = content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0);
  const kept = content.find((block) => block.type === 'resource_link');
  const size = kept?.size === undefined ? bytes(length) : bytes(kept.size);
  if (error !== undefined) return `error, ${size}`;
  if (structured !== undefined) return `${shapeOf(structured)}, ${size}`;
  if (content.length === 0) return 'nothing';
  if (content.length === 1) return blockOf(content[0] as ContentBlock);
  const rest = content.length - 3;
  const shown = content.slice(0, 3).map(blockOf).join('; ');
  return `${content.length} parts: ${shown}${rest > 0 ? `; ${rest} more` : ''}`;
}

function shapeOf(value: Json): string {
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  const keys = Object.keys(value);
  // a root that is no object is wrapped as `result`
  const only = keys.length === 1 && keys[0] === 'result' ? (value as { result: Json }).result : undefined;
  if (only !== undefined) return shapeOf(only);
  return `object, ${keys.length} ${keys.length === 1 ? 'member' : 'members'}`;
}

function blockOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return `text, ${block.text.length} characters`;
    case 'image':
    case 'audio':
      return `${mediaType(block.mimeType)}, ${bytes(Math.floor((block.data.length * 3) / 4))}`;
    case 'resource_link':
      return `link to ${mediaType(block.mimeType)}${block.size === undefined ? '' : `, ${bytes(block.size)}`}`;
    case 'resource': {
      const { resource } = block;
      const length = 'text' in resource ? resource.text.length : Math.floor((resource.blob.length * 3) / 4);
      return `${mediaType(resource.mimeType)}, ${bytes(length)}`;
    }
  }
}

/** A service's own words are no summary. */
function mediaType(type: string | undefined): string {
  return type !== undefined && MEDIA_TYPE.test(type) ? type : 'data';
}

/** Decimal units: `812 B`, `3.4 kB`, `12 MB`. */
function bytes(size: number): string {
  let value = size;
  let unit = 'B';
  for (const next of ['kB', 'MB', 'GB']) {
    if (value < 1000) break;
    value /= 1000;
    unit = next;
  }
  return `${unit === 'B' || value >= 10 ? Math.round(value) : value.toFixed(1)} ${unit}`;
}
