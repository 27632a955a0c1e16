import { join } from 'node:path';
import type { FunctionSource } from '../../../../gateway/src/index.ts';
import {
  type OpenMeteoDouble,
  startOpenMeteoDouble,
} from '../../../../gateway/test/cli/open-meteo-double.ts';
import { type RunningGateway, startGateway } from './gateway.ts';

const QUICKSTART = join(import.meta.dirname, '../../../../examples/quickstart/open-meteo.yaml');

/** Every kind of control that a form has. */
const REPORT = {
  type: 'object',
  required: ['title', 'severity', 'place'],
  additionalProperties: false,
  properties: {
    title: { type: 'string', minLength: 3, description: 'What happened, in one line.' },
    severity: { enum: ['low', 'high'], description: 'How bad it is.' },
    place: {
      oneOf: [
        {
          title: 'room',
          type: 'object',
          required: ['kind', 'room'],
          properties: { kind: { const: 'room' }, room: { type: 'string' } },
        },
        {
          title: 'point',
          type: 'object',
          required: ['kind', 'latitude'],
          properties: { kind: { const: 'point' }, latitude: { type: 'number', maximum: 90 } },
        },
      ],
    },
    tags: { type: 'array', items: { type: 'string' } },
    urgent: { type: 'boolean' },
    count: { type: 'integer', minimum: 1 },
    assignee: { type: ['string', 'null'] },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

const desk = (made: object[]): FunctionSource => ({
  tools: [
    {
      name: 'file_report',
      description: 'Files a report at the desk.\n\nOnly for what a person saw.',
      access: 'write',
      input: REPORT as never,
      handler: (args) => {
        made.push(args);
        return { filed: made.length, report: args };
      },
    },
    {
      name: 'shred_reports',
      description: 'Destroys every report.',
      access: 'delete',
      safety: { destructive: true },
      handler: () => {
        made.length = 0;
        return { shredded: true };
      },
    },
  ],
});

export interface ToolGateway extends RunningGateway {
  readonly meteo: OpenMeteoDouble;
  /** Reports that were filed. */
  readonly reports: object[];
}

/** The quickstart over a loopback Open-Meteo, with one operation switched off, and a desk of functions. */
export async function startToolGateway(policy: object = {}): Promise<ToolGateway> {
  const meteo = await startOpenMeteoDouble();
  const reports: object[] = [];
  const running = await startGateway(
    {
      name: 'acme',
      topology: 'flat',
      policy,
      sources: {
        weather: {
          openapi: QUICKSTART,
          prefix: 'none',
          baseUrl: meteo.url,
          features: { air: { operations: ['getAirQuality'], enabled: false } },
        },
      },
    } as never,
    { functions: { desk: desk(reports) } },
  );
  return {
    ...running,
    meteo,
    reports,
    close: async () => {
      await running.close();
      await meteo.close();
    },
  };
}
