import { type FramedResult, frameToolResults, SYNTHESIS_PROMPT } from 'toolcrib';

export const messagesFor = (question: string, results: readonly FramedResult[]) => [
  { role: 'system', content: SYNTHESIS_PROMPT },
  { role: 'user', content: question },
  { role: 'user', content: frameToolResults(results) },
];
