import { expect, it } from 'vitest';
import { attachmentNamed } from '../../../src/operations/http/attachment-disposition.ts';

it.each([
  ['a b (1).pdf', 'attachment; filename="a b (1).pdf"'],
  ['ä"\r\nX: y', `attachment; filename="____X_ y"; filename*=UTF-8''%C3%A4%22%0D%0AX%3A%20y`],
  ["it's*", `attachment; filename="it_s_"; filename*=UTF-8''it%27s%2A`],
])('%j', (name, header) => {
  expect(attachmentNamed(name)).toBe(header);
});
