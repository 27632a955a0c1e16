/** What kind of body a media type means. */
export type MediaKind = 'json' | 'json-lines' | 'form' | 'multipart' | 'binary' | 'text' | 'xml' | 'other';

const RANK: Readonly<Record<MediaKind, number>> = {
  json: 0,
  form: 2,
  multipart: 3,
  binary: 4,
  text: 5,
  xml: 6,
  'json-lines': 7,
  other: 8,
};

/** What documents write that mean `multipart/form-data`. */
const FORM_DATA = /^(?:(?:application\/)?(?:x-)?form-data|multipart\/(?:form|data|formdata|x-form-data))$/;

export function meansFormData(mediaType: string): boolean {
  return FORM_DATA.test(bareMediaType(mediaType));
}

/** Type and subtype, lower case, without parameters (RFC 9110 §8.3.1). */
export function bareMediaType(mediaType: string): string {
  return mediaType.split(';')[0]!.trim().toLowerCase();
}

export function mediaKindOf(mediaType: string): MediaKind {
  const bare = bareMediaType(mediaType);
  if (/(?:^|[/.+-])(?:x-)?(?:ndjson|jsonl|json-lines|jsonlines|json-seq)$/.test(bare)) return 'json-lines';
  if (/json/.test(bare) || bare === '*/*' || bare === 'application/*') return 'json';
  if (bare.startsWith('multipart/') || meansFormData(bare)) return 'multipart';
  if (/urlencoded$/.test(bare)) return 'form';
  if (/[/+]xml$/.test(bare) || /[/.-]xml(?:-|$)/.test(bare)) return 'xml';
  if (bare.startsWith('text/') || /(?:yaml|javascript|graphql|sql|csv|x-www-form|sdp|toml)$/.test(bare))
    return 'text';
  if (/^(?:image|audio|video|font|model)\//.test(bare)) return 'binary';
  if (/octet-stream|officedocument|(?:zip|gzip|pdf|tar|protobuf|msword|excel|avro|cbor|msgpack)$/.test(bare))
    return 'binary';
  return 'other';
}

/** Lower is better. Exact JSON first, then `+json`, then what else can be written without loss. */
export function mediaRank(mediaType: string, preferences: readonly string[]): number {
  const bare = bareMediaType(mediaType);
  const wanted = preferences.findIndex((preference) => matches(bare, bareMediaType(preference)));
  if (wanted >= 0) return wanted - preferences.length - 1;
  if (bare === 'application/json') return 0;
  return RANK[mediaKindOf(bare)] + (bare.includes('*') ? 1.7 : 0.5);
}

function matches(bare: string, preference: string): boolean {
  if (!preference.includes('*')) return bare === preference;
  const [type] = preference.split('/');
  return type === '*' || bare.startsWith(`${type}/`);
}
