import type { Document, Node } from 'yaml';

const NAME = String.raw`[\w-]*(?:key|token|secret|passw(?:or)?d|passphrase|bearer|authorization|cookie)[\w-]*`;
const SECRET_NAME = new RegExp(`^${NAME}$`, 'i');
const SECRET_OPTION = new RegExp(`^--?${NAME}$`, 'i');

/** What one line shows by itself, in a comment too: a member, the same within braces, an option, a URL's user. */
const WITHIN_A_LINE: readonly RegExp[] = [
  new RegExp(String.raw`^(\s*(?:#+\s*)?(?:- )?["']?${NAME}["']?\s*:\s*)(?![\s{]|["']?\$\{)(.+)$`, 'i'),
  new RegExp(
    String.raw`([{,]\s*["']?${NAME}["']?\s*:\s*)(?!\s*["']?\$\{|\s*\{)("[^"]*"|'[^']*'|[^,}\]]+?(?=\s*(?:[,}\]]|$)))`,
    'gi',
  ),
  new RegExp(String.raw`(--?${NAME}=)(?!\$\{)[^\s"',\]]+`, 'gi'),
  /(:\/\/)[^\s/@"']+(?=@)/g,
];

/**
 * A YAML or JSON text in which `…` stands for every secret that it holds as text, judged by the names of members and
 * options. It has as many lines as before.
 */
export async function hideSecrets(text: string): Promise<string> {
  const { parseDocument, isAlias, isMap, isPair, isScalar, isSeq } = await import('yaml');
  const document: Document = parseDocument(text, { prettyErrors: false });
  const secrets = new Set<Node>();

  const hide = (node: unknown): void => {
    if (isAlias(node)) hide(node.resolve(document));
    else if (isSeq(node)) node.items.forEach(hide);
    else if (isScalar(node) && !`${node.value}`.startsWith('${')) secrets.add(node);
  };
  const look = (node: unknown): void => {
    if (isMap(node)) node.items.forEach(look);
    else if (isPair(node)) {
      if (isScalar(node.key) && SECRET_NAME.test(`${node.key.value}`)) hide(node.value);
      look(node.value);
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) {
        const before = node.items[index - 1];
        // an option without a value of its own is followed by it
        const named = isScalar(before) && SECRET_OPTION.test(`${before.value}`);
        if (named && isScalar(item) && !`${item.value}`.startsWith('-')) hide(item);
        look(item);
      }
    }
  };
  look(document.contents);

  let hidden = text;
  const last = [...secrets].sort((a, b) => b.range![0] - a.range![0]);
  for (const { range } of last) {
    const [start, end] = range!;
    // of a value of many lines each has its own
    hidden = hidden.slice(0, start) + hidden.slice(start, end).replace(/\S.*/g, '…') + hidden.slice(end);
  }
  return hidden
    .split('\n')
    .map((line) => WITHIN_A_LINE.reduce((shown, secret) => shown.replace(secret, '$1…'), line))
    .join('\n');
}
