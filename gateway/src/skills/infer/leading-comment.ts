/** The comment that a script begins with, without its marks; undefined where there is none. At most 40 lines. */
export function leadingComment(source: string, language: 'javascript' | 'shell'): string | undefined {
  const lines = source.split('\n', 60);
  const found: string[] = [];
  let inBlock = false;
  for (const [index, whole] of lines.entries()) {
    const line = whole.slice(0, 500).trim();
    if (index === 0 && line.startsWith('#!')) continue;
    if (inBlock || (language === 'javascript' && line.startsWith('/*'))) {
      inBlock = !line.includes('*/');
      const text = line
        .replace(/^\/\*+/, '')
        .replace(/\*+\/.*$/, '')
        .replace(/^\*/, '')
        .trim();
      if (text !== '' || found.length > 0) found.push(text);
      if (!inBlock) break;
      continue;
    }
    const mark = language === 'shell' ? '#' : '//';
    if (line.startsWith(mark)) found.push(line.slice(mark.length).trim());
    else if (line !== '' || found.length > 0) break;
    if (found.length >= 40) break;
  }
  const text = found
    .filter((line) => !/^(?:shellcheck|eslint|@ts-|prettier|copyright|spdx)/i.test(line))
    .join('\n')
    .trim();
  return text === '' ? undefined : text;
}
