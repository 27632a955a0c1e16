import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({
  question: Annotation(),
  attempts: Annotation({ reducer: (_, next) => next, default: () => 0 }),
  results: Annotation({ reducer: (_, next) => next, default: () => [] }),
  answer: Annotation(),
});

/**
 * Searches, once more with other words where nothing was found, and answers with its sources. It knows one tool by name
 * and contract; who stands behind it, it cannot see.
 * @param {(tool: string, args: object) => Promise<object>} call resolves with structured content
 */
export function createGraph(call) {
  return new StateGraph(State)
    .addNode('search', async ({ question, attempts }) => {
      const query = attempts === 0 ? question : question.replace(/\b(?:why|what|how|is|are|the)\b/gi, ' ');
      const { results } = await call('web_search', { query, count: 5 });
      return { results, attempts: attempts + 1 };
    })
    .addNode('respond', ({ question, results }) => ({
      // a model would write this; results are data to it, framed as such
      answer: {
        text: results.length === 0 ? `Nothing was found about: ${question}` : results[0].snippet,
        citations: results.map(({ url, contentHash }) => ({ url, contentHash })),
      },
    }))
    .addEdge(START, 'search')
    .addConditionalEdges('search', ({ results, attempts }) =>
      results.length === 0 && attempts < 2 ? 'search' : 'respond',
    )
    .addEdge('respond', END)
    .compile();
}
