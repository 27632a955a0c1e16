import { setTimeout as passing } from 'node:timers/promises';
import { ToolcribError } from '../gateway/src/errors.ts';
import { type CallChannel, type InputRequest, isObject } from '../gateway/src/operations/index.ts';
import { content, defineTool, type FunctionTool } from '../gateway/src/sources/function/define.ts';

const text = (value: string) => content({ type: 'text', text: value });

function confirmation(message: string): InputRequest {
  return {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message,
      requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } } },
    },
  };
}

/** For tools that nobody can call who does not follow tasks. */
async function requireTask(channel: CallChannel): Promise<void> {
  if (await channel.becomeTask?.()) return;
  throw new ToolcribError('capability_missing', 'This tool is carried out as a task only.', {
    details: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
  });
}

/** What the scenarios of the extension Tasks (SEP-2663) look for. */
export const TASK_TOOLS: readonly FunctionTool[] = [
  defineTool({
    name: 'greet',
    description: 'Greets at once.',
    input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    access: 'read',
    handler: ({ name }) => text(`Hello, ${name}!`),
  }),
  defineTool({
    name: 'slow_compute',
    description: 'Takes as long as it is told.',
    input: { type: 'object', properties: { seconds: { type: 'number' }, label: { type: 'string' } } },
    access: 'read',
    timeoutMs: 120_000,
    handler: async ({ seconds, label }, { channel, signal }) => {
      if (Number(seconds) > 0) await channel.becomeTask?.('Computing.');
      await passing(Number(seconds) * 1000, undefined, { signal });
      return text(`Computed ${label}.`);
    },
  }),
  defineTool({
    name: 'failing_job',
    description: 'Fails after a while.',
    access: 'read',
    handler: async (_args, { channel, signal }) => {
      await requireTask(channel);
      await passing(1000, undefined, { signal });
      throw new Error('The job failed, as it always does.');
    },
  }),
  defineTool({
    name: 'protocol_error_job',
    description: 'Asks for what its client did not declare.',
    access: 'read',
    handler: async (_args, { channel, signal }) => {
      await requireTask(channel);
      await channel.ask?.({ method: 'roots/list', params: {} }, signal);
      return text('The client declared roots.');
    },
  }),
  defineTool({
    name: 'confirm_delete',
    description: 'Asks before it deletes nothing.',
    input: { type: 'object', properties: { filename: { type: 'string' } } },
    access: 'read',
    handler: async ({ filename }, { channel, signal }) => {
      await channel.becomeTask?.();
      const answer = await channel.ask?.(confirmation(`Delete ${filename}?`), signal);
      return text(`Answered: ${JSON.stringify(answer)}`);
    },
  }),
  defineTool({
    name: 'multi_input',
    description: 'Asks two questions at once.',
    access: 'read',
    handler: async (_args, { channel, signal }) => {
      await channel.becomeTask?.();
      const questions = ['First?', 'Second?'].map((message) => channel.ask?.(confirmation(message), signal));
      return text(`Answered: ${JSON.stringify(await Promise.all(questions))}`);
    },
  }),
  defineTool({
    name: 'test_tool_with_task',
    description: 'Asks for a name, then goes on as a task.',
    access: 'read',
    handler: async (_args, { channel, inputRequired, signal }) => {
      const answer = channel.inputResponses?.['user_name'];
      if (!isObject(answer) || !isObject(answer['content']))
        return inputRequired({
          user_name: {
            method: 'elicitation/create',
            params: {
              mode: 'form',
              message: 'What is your name?',
              requestedSchema: {
                type: 'object',
                properties: { name: { type: 'string' } },
                required: ['name'],
              },
            },
          },
        });
      await requireTask(channel);
      await passing(300, undefined, { signal });
      return text(`Hello, ${answer['content']['name']}!`);
    },
  }),
];
