// A server process for the stdio tests: one tool prints, one announces a change.
import { serveStdio } from '../../../../src/server/mcp/stdio/serve-stdio.ts';
import { defineTool } from '../../../../src/sources/function/define.ts';
import { functionGateway } from '../../function-gateway.ts';

await serveStdio(
  functionGateway({
    tools: [
      defineTool({
        name: 'noisy',
        description: 'Prints and answers',
        handler: () => {
          console.log('printed by a handler');
          return 'quiet';
        },
      }),
      defineTool({
        name: 'announce',
        description: 'Announces a change',
        handler: (_args, { notify }) => {
          notify('tools');
          return 'announced';
        },
      }),
    ],
  }),
);
