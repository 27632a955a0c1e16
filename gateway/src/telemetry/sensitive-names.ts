/**
 * Names whose values are secret even when nobody said so. Names are compared as words in any case and style
 * (`apiKey`, `X-API-KEY`, `user[api_key]`) and by their last words: `tokenCount` and `secretary` are harmless.
 */
export function hidesValue(
  name: string,
  value: unknown,
  place: 'property' | 'parameter' = 'property',
): boolean {
  if (value === null || value === undefined || typeof value === 'boolean' || value === '') return false;
  if (!mayHideValue(name)) return false;
  const words = wordsOf(name);
  const plural = words.at(-1)?.endsWith('s') ?? false;
  const singular = words.map((word, index) =>
    index === words.length - 1 && !word.endsWith('ss') ? word.replace(/s$/, '') : word,
  );
  if (plural && isNumeric(value)) return false;
  if (singular.at(-1) === 'token' && HARMLESS_TOKENS.has(singular.at(-2) ?? '')) return false;
  const candidates = [...candidatesOf(singular), singular.join('')];
  const conditions = place === 'parameter' ? PARAMETER_CONDITIONS : CONDITIONS;
  return candidates.some(
    (candidate) =>
      SENSITIVE.has(candidate) ||
      SENSITIVE_ENDINGS.test(candidate) ||
      conditions.get(candidate)?.test(textOf(value)),
  );
}

/** False for most names, at little cost; true says nothing yet. */
export function mayHideValue(name: string): boolean {
  return name.length <= 200 && MAY_BE_SENSITIVE.test(name);
}

/** Cheap and wide: what this does not find needs no closer look. */
const MAY_BE_SENSITIVE =
  /%|[^\0-\x7f]|p.?a.?s.?s|p.?w.?d|s.?e.?c.?r|t.?o.?k.?e|a.?u.?t.?h|c.?o.?o.?k|k.?e.?y|c.?r.?e.?d|s.?i.?g|b.?e.?a.?r|j.?w.?t|s.?s.?n|c.?[vs].?[vc]|o.?t.?p|s.?i.?d|s.?e.?s.?s|s.?r.?f|c.?a.?r.?d|c.?o.?d.?e|p.?i.?n|p.?e.?m|h.?m.?a.?c|a.?m.?l|m.?n.?e.?m|p.?h.?r.?a|c.?o.?n.?n|a.?s.?s.?e|s.?o.?c.?i/i;

/** Cursors and the like: needed to read a log, worth nothing to a thief. */
const HARMLESS_TOKENS: ReadonlySet<string> = new Set(
  'page next previous prev continuation cursor sync delta pagination skip change resume progress'.split(' '),
);

/** Singular, without separators. */
const SENSITIVE: ReadonlySet<string> = new Set(
  `password passwd pwd passphrase passcode passkey secret token authorization authorisation cookie credential
  cred apikey bearer jwt cvv cvc cvv2 csc ssn otp totp csrf xsrf authtoken accesstoken refreshtoken idtoken
  sessiontoken bearertoken apitoken apisecret clientsecret appsecret sharedsecret consumersecret
  webhooksecret signingsecret accesskey secretkey privatekey encryptionkey decryptionkey signingkey sharedkey
  accountkey storagekey masterkey authkey sessionkey subscriptionkey licensekey licencekey servicekey
  functionkey functionskey hostkey deploykey sshkey rsakey aeskey hmackey appkey adminkey rootkey primarykeysecret
  sharedaccesskey sharedaccesssignature privatekeypem sessionid sessid phpsessid jsessionid connectsid sid
  connectionstring connstr cardnumber creditcard creditcardnumber ccnumber socialsecurity socialsecuritynumber
  securitycode verificationcode onetimepassword onetimecode mfacode 2facode recoverycode backupcode authcode
  authorizationcode codeverifier clientassertion samlresponse samlassertion mnemonic seedphrase recoveryphrase
  userpass dbpass smtppass authpass proxypass rootpass adminpass setcookie proxyauthorization`.split(/\s+/),
);

/** Compounds written as one word: `githubapikey`. */
const SENSITIVE_ENDINGS =
  /(?:password|passwd|passphrase|apikey|secretkey|privatekey|accesskey|accesstoken|refreshtoken|authtoken|clientsecret)$/;

/** Words of many meanings: the value decides. */
const CONDITIONS: ReadonlyMap<string, RegExp> = new Map([
  ['signature', /^[\w+/=.%~:-]{16,}$/],
  ['sig', /^[\w+/=.%~:-]{16,}$/],
  ['hmac', /^[\w+/=.%~:-]{16,}$/],
  ['pin', /^\d{3,12}$/],
  ['pass', /^(?!(?:true|false|yes|no|ok|pass|passed|fail|failed|\d+)$)(?!\[object)\S+$/i],
  [
    'auth',
    /^(?!(?:none|basic|bearer|digest|oauth2?|oidc|jwt|sso|saml|api[-_ ]?key|token|password|required|optional|true|false|yes|no|on|off|ok|failed|success)$)(?!\[object)./is,
  ],
]);

/** In a query or a form: signatures of pre-signed URLs, and keys that look like keys. */
const PARAMETER_CONDITIONS: ReadonlyMap<string, RegExp> = new Map([
  ...CONDITIONS,
  ['signature', /./s],
  ['sig', /./s],
  ['hmac', /./s],
  ['key', /^(?=.*\d)(?=.*[a-z])[\w.-]{20,}$/i],
]);

/** The last words joined, without neutral words and digits at the end, and all of them joined. */
function candidatesOf(words: readonly string[]): string[] {
  let end = words.length;
  while (end > 1 && (NEUTRAL.has(words[end - 1]!) || /^\d+$/.test(words[end - 1]!))) end--;
  const kept = words.slice(0, end);
  const last =
    kept
      .at(-1)
      ?.replace(/^(.*?\D)\d+$/, '$1')
      .replace(/([^s])s$/, '$1') ?? '';
  const parts = [...kept.slice(0, -1), last];
  const candidates = [parts.join('')];
  for (let count = 1; count <= Math.min(4, parts.length); count++)
    candidates.push(parts.slice(-count).join(''));
  return candidates;
}

const NEUTRAL: ReadonlySet<string> = new Set(
  'value string text plain plaintext raw hash hashed encoded encrypted base64 b64 new old current confirm confirmation repeat again input field'.split(
    ' ',
  ),
);

function wordsOf(name: string): string[] {
  return decoded(name)
    .normalize('NFKC')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

function decoded(name: string): string {
  if (!name.includes('%')) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint' || /^\d+$/.test(textOf(value));
}

/** A structure with a member called `toString` has no text. */
function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return '[object]';
  }
}
