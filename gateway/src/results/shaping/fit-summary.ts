import type { ShapedAnswer } from '../../operations/index.ts';
import { isWithin, type OutputLimits, render, type ShapedOutput } from './shaped-output.ts';

/** In the order in which they are left out. */
const PARTS = [
  'critical_items',
  'error_samples',
  'sample_items',
  'by_health',
  'by_state',
  'by_status',
  'available_fields',
];

/** A summary loses its longest parts first until it fits. */
export function fitSummary(output: ShapedOutput, limits: OutputLimits): ShapedAnswer {
  let smaller = output;
  for (const part of PARTS) {
    const rendered = render(smaller, false);
    if (isWithin(rendered, limits)) return rendered;
    const { [part]: _dropped, ...summary } = smaller.summary ?? {};
    smaller = { ...smaller, summary };
  }
  const { envelope: _envelope, summary: _summary, ...least } = smaller;
  return render(least, false);
}
