import type { Operation } from '../../operations/index.ts';
import { answerLines, argumentLines } from '../call/argument-lines.ts';
import { findTool } from '../call/find-tool.ts';
import { counted } from '../counted.ts';
import { withGateway } from '../open-gateway.ts';
import type { SourceOptions } from '../options/source-options.ts';
import { json, painter, type Terminal } from '../terminal/terminal.ts';

/** Shows one tool as its caller sees it, with what it calls. */
export function describe(name: string, options: SourceOptions, terminal: Terminal): Promise<number> {
  return withGateway(options.spec ?? [], options, terminal, async ({ gateway }) => {
    const { tool } = findTool(gateway, name);
    const operation = gateway.view().catalog.byTool(tool.name)?.load();
    if (options.json) {
      terminal.out(
        json({
          ...tool,
          operation: operation && {
            id: operation.id,
            source: operation.source,
            access: operation.access,
            safety: operation.safety,
            limits: operation.limits,
            cost: operation.cost,
            budget: operation.budget,
            invocation: operation.invocation,
          },
        }),
      );
      return 0;
    }
    const paint = painter(terminal);
    terminal.out(`${paint('bold', tool.name)}${tool.title === undefined ? '' : `  ${tool.title}`}`);
    if (operation?.invocation.kind === 'http') {
      const { method, path } = operation.invocation;
      terminal.out(`${method} ${path}  (${operation.access}, source ${operation.source})`);
    } else if (operation !== undefined) terminal.out(`${operation.access}, source ${operation.source}`);
    if (tool.description !== '') terminal.out(`\n${tool.description}`);
    if (operation !== undefined) {
      terminal.out('\nContract:');
      for (const line of contractLines(operation)) terminal.out(`  ${line}`);
    }
    terminal.out('\nArguments:');
    for (const line of argumentLines(tool.inputSchema)) terminal.out(`  ${line}`);
    if (tool.outputSchema !== undefined) {
      terminal.out('\nAnswers:');
      for (const line of answerLines(tool.outputSchema)) terminal.out(`  ${line}`);
    }
    return 0;
  });
}

/** What a call may touch, what it costs and how much of it is allowed. */
function contractLines({ safety, limits, cost, budget }: Operation): string[] {
  const touches = (['network', 'file', 'destructive', 'idempotent', 'openWorld'] as const).filter(
    (one) => safety[one],
  );
  const spent = [
    ...(cost?.usd === undefined ? [] : [`${cost.usd} USD`]),
    ...(cost?.typicalMs === undefined ? [] : [`usually ${cost.typicalMs} ms`]),
  ];
  return [
    `safety: ${touches.join(', ') || 'touches nothing outside'}`,
    ...(limits?.timeoutMs === undefined ? [] : [`timeout: ${limits.timeoutMs} ms`]),
    ...(spent.length === 0 ? [] : [`cost: ${spent.join(', ')}`]),
    ...(budget === undefined ? [] : [`budget: ${budgetText(budget)}`]),
  ];
}

function budgetText({
  calls,
  usd,
  bytes,
  per = 'principal',
  windowMs,
}: NonNullable<Operation['budget']>): string {
  const most = [
    ...(calls === undefined ? [] : [counted(calls, 'call')]),
    ...(usd === undefined ? [] : [`${usd} USD`]),
    ...(bytes === undefined ? [] : [counted(bytes, 'byte')]),
  ];
  const window = windowMs === undefined ? 'a day' : `${windowMs / 1000} s`;
  return `${most.join(', ')} per ${per === 'run' ? 'run' : `caller in ${window}`}`;
}
