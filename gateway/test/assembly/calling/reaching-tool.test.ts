import { describe, expect, it } from 'vitest';
import { createReaching, type ReachingParts } from '../../../src/assembly/calling/reaching-tool.ts';
import { type Grants, LOCAL_PRINCIPAL } from '../../../src/operations/index.ts';
import { localGrants } from '../../../src/policy/local-grants.ts';
import { base } from '../../../src/topology/base.ts';
import { isTopologyTool } from '../../../src/topology/topology.ts';
import { createValidator } from '../../../src/validation/validator.ts';
import { plainOperations, setOf } from '../../topology/search-set.ts';

const NOTHING: Grants = localGrants(LOCAL_PRINCIPAL, {});
const SOME: Grants = { ...NOTHING, stamp: 'some' };

/** A caller who may use something under `known` or `fresh`, and nothing otherwise. */
function reachingOf({ known, fresh }: { readonly known: Grants; readonly fresh: Grants }) {
  const options = { pinned: [] } as never;
  const tools = base.publish(setOf(plainOperations('shop', 3)), options).filter(isTopologyTool);
  const own = new Map(tools.map((tool) => [tool.name, tool]));
  const catalog = { byTool: (name: string) => (name === 'shop_op0000' ? {} : undefined) };
  let asked = 0;
  const reaching = createReaching({
    catalog: { current: catalog },
    grants: {
      known: () => known,
      fresh: () => {
        asked++;
        return fresh;
      },
    },
    views: (_catalog: unknown, grants: Grants) => {
      const offered = grants === SOME ? own : new Map();
      return { own: offered, tools: [...offered.keys()].map((name) => ({ tool: { name } })) };
    },
    validator: createValidator(),
  } as unknown as ReachingParts);
  return { find: (tool: string) => reaching({ tool }, LOCAL_PRINCIPAL), asked: () => asked };
}

describe('the tool of a topology that a call names', () => {
  it('is found by what its caller may do now, though nothing was known before', async () => {
    const { find } = reachingOf({ known: NOTHING, fresh: SOME });
    expect((await find('call_api_endpoint'))?.name).toBe('call_api_endpoint');
  });

  it('is gone with the rights that it was made of', async () => {
    const { find } = reachingOf({ known: SOME, fresh: NOTHING });
    await expect(find('call_api_endpoint')).rejects.toMatchObject({ code: 'tool_unknown' });
  });

  it('is none for a name that nothing has, and those close to it are named', async () => {
    const { find } = reachingOf({ known: SOME, fresh: SOME });
    await expect(find('endpoint_call')).rejects.toMatchObject({
      code: 'tool_unknown',
      message: 'There is no tool named endpoint_call. Close to it: call_api_endpoint.',
      next: 'Call one of the tools that are offered, by its exact name.',
    });
    await expect(find('do_everything')).rejects.toMatchObject({
      message: 'There is no tool named do_everything.',
      next: expect.stringContaining('List the tools again'),
    });
  });

  it('is not named to a caller who is not offered it', async () => {
    const { find } = reachingOf({ known: NOTHING, fresh: NOTHING });
    await expect(find('endpoint_call')).rejects.toMatchObject({
      message: 'There is no tool named endpoint_call.',
    });
  });

  it('is not looked for where an operation is called so', () => {
    const { find, asked } = reachingOf({ known: NOTHING, fresh: SOME });
    expect(find('shop_op0000')).toBeUndefined();
    expect(asked()).toBe(0);
  });
});
