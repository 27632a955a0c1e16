import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../src/operations/text/words.ts';
import { stem } from '../../../src/retrieval/stem.ts';
import { processorTime } from '../../processor-time.ts';

describe('words of a text', () => {
  it.each([
    ['listUserAccounts', ['list', 'user', 'accounts']],
    ['get_HTTPResponse-code', ['get', 'http', 'response', 'code']],
    ['/v1/pets/{petId}', ['v1', 'pets', 'pet', 'id']],
    ['Pool2Resource', ['pool2', 'resource']],
    ['Café ÉTÉ naïveUser', ['cafe', 'ete', 'naive', 'user']],
    ['天気予報', ['天気', '気予', '予報']],
    ['', []],
    ['-- !', []],
  ])('%j are %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it('leaves out data that only looks like a word', () => {
    expect(wordsOf(`key ${'a'.repeat(41)} end`)).toEqual(['key', 'end']);
  });

  it('takes no longer than the text is long', async () => {
    const took = await processorTime(() => {
      wordsOf('aB'.repeat(500_000));
      wordsOf('é'.repeat(500_000));
      wordsOf('_'.repeat(1_000_000));
    });
    expect(took).toBeLessThan(5000);
  });
});

describe('stems', () => {
  it.each([
    ['repositories', 'repositori'],
    ['repository', 'repositori'],
    ['cancelling', 'cancel'],
    ['cancelled', 'cancel'],
    ['scheduled', 'schedul'],
    ['hopping', 'hop'],
    ['hoping', 'hope'],
    ['ties', 'tie'],
    ['cries', 'cri'],
    ['gas', 'gas'],
    ['access', 'access'],
    ['agreed', 'agre'],
    ['feed', 'feed'],
    ['generalization', 'general'],
    ['communication', 'communic'],
    ['relational', 'relat'],
    ['hopefulness', 'hope'],
    ['controller', 'control'],
    ['sky', 'sky'],
    ['dying', 'die'],
    ['news', 'news'],
    ['proceedings', 'proceed'],
    ['youth', 'youth'],
    ['employs', 'employ'],
    ['adoption', 'adopt'],
    ['quickly', 'quick'],
    ['v2', 'v2'],
    ['größe', 'größe'],
  ])('of %s is %s', (word, expected) => {
    expect(stem(word)).toBe(expected);
  });
});
