import { randomUUID } from 'node:crypto';
import type { InputRequest } from '../../operations/index.ts';

/**
 * Questions as the client's revision has them: a page to open has an id until 2025-11-25, which requires it, and none since
 * 2026-07-28 (changelog, "elicitationId").
 */
export function questionsOf(
  requests: Readonly<Record<string, InputRequest>>,
  era: 'legacy' | 'modern',
): Record<string, InputRequest> {
  return Object.fromEntries(
    Object.entries(requests).map(([key, request]) => {
      if (request.method !== 'elicitation/create' || request.params?.['mode'] !== 'url')
        return [key, request];
      const { elicitationId = randomUUID(), ...params } = request.params;
      return [key, { ...request, params: era === 'modern' ? params : { ...params, elicitationId } }];
    }),
  );
}
