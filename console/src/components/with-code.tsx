import { Fragment } from 'react';

/** A sentence of the gateway, whose commands and names stand between backticks. */
export function WithCode({ text }: { readonly text: string }) {
  return text.split(/`([^`]+)`/).map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other identity
    return index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>;
  });
}
