// Flat BM25 over the words of names and descriptions in plain maps: what the gateway's index is measured against.
const SATURATION = 1.2;
const LENGTH = 0.75;

function wordsOf(text) {
  const split = text.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2').toLowerCase();
  return split.match(/[\p{L}\p{N}]+/gu) ?? [];
}

export function build(documents) {
  const postings = new Map();
  const lengths = documents.map(({ name, description }, place) => {
    const words = wordsOf(`${name} ${description}`);
    for (const word of words) {
      const counts = postings.get(word) ?? new Map();
      counts.set(place, (counts.get(place) ?? 0) + 1);
      postings.set(word, counts);
    }
    return words.length;
  });
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return { names: documents.map(({ name }) => name), postings, lengths, mean };
}

export function search({ names, postings, lengths, mean }, text, limit) {
  const scores = new Map();
  for (const word of new Set(wordsOf(text))) {
    const counts = postings.get(word);
    if (counts === undefined) continue;
    const rarity = Math.log(1 + (names.length - counts.size + 0.5) / (counts.size + 0.5));
    for (const [place, count] of counts) {
      const norm = SATURATION * (1 - LENGTH + (LENGTH * lengths[place]) / mean);
      scores.set(place, (scores.get(place) ?? 0) + (rarity * count * (SATURATION + 1)) / (count + norm));
    }
  }
  const best = [...scores].sort(([a, one], [b, other]) => other - one || a - b).slice(0, limit);
  return best.map(([place]) => names[place]);
}
