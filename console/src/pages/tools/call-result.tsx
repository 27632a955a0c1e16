import { useState } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { JsonTree } from '../../components/json/json-tree.tsx';
import type { JsonObject } from '../../components/json/json-values.ts';
import { Panel } from '../../components/layout/panel.tsx';
import { Tabs } from '../../components/layout/tabs.tsx';
import { Notice } from '../../components/states/notice.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { cellText, rowsOf } from './rows-of.ts';
import { StoryLink } from './story-link.tsx';
import type { CallAnswer } from './tool-types.ts';
import styles from './tools.module.css';

interface CallResultProps {
  readonly name: string;
  readonly answer: CallAnswer;
  readonly trace: string;
}

/** Rows of a table that are drawn. */
const SHOWN = 100;

/** What a call answered: its structure as table or tree, and the content that a model is given. */
export function CallResult({ name, answer, trace }: CallResultProps) {
  const { structured, content, warnings = [], status } = answer;
  const table = rowsOf(structured);
  const [view, setView] = useState<'table' | 'tree' | 'content'>(
    table !== undefined ? 'table' : structured !== undefined ? 'tree' : 'content',
  );
  const tabs = [
    ...(table === undefined ? [] : [{ name: 'table', title: 'Table' } as const]),
    ...(structured === undefined ? [] : [{ name: 'tree', title: 'Tree' } as const]),
    { name: 'content', title: 'As the model sees it' } as const,
  ];
  return (
    <Panel
      title={status === undefined ? 'Answer' : `Answer, HTTP ${status}`}
      actions={<StoryLink name={name} trace={trace} />}
    >
      {warnings.map((warning) => (
        <Notice key={warning} tone="warn" title={warning} />
      ))}
      <Tabs label="Answer" tabs={tabs} chosen={view} onChoose={setView}>
        {view === 'table' && table !== undefined ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          <section className={styles['scroll']} aria-label={table.name || 'rows'} tabIndex={0}>
            <DataTable<JsonObject>
              caption={table.name || 'Rows of the answer'}
              rows={table.rows.slice(0, SHOWN)}
              rowKey={(row) => String(table.rows.indexOf(row))}
              columns={table.columns.map((column) => ({
                key: column,
                title: column,
                cell: (row) => visibleText(cellText(row[column])),
              }))}
            />
            {table.rows.length > SHOWN ? (
              <p className={styles['more']}>{table.rows.length - SHOWN} more rows in the tree</p>
            ) : null}
          </section>
        ) : null}
        {view === 'tree' ? <JsonTree value={structured} label="answer" open={3} /> : null}
        {view === 'content' ? <Content blocks={content} /> : null}
      </Tabs>
    </Panel>
  );
}

function Content({ blocks }: { readonly blocks: CallAnswer['content'] }) {
  return (
    <div className={styles['blocks']}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks of an answer have no identity but their place
        <Block key={index} block={block} />
      ))}
    </div>
  );
}

function Block({ block }: { readonly block: CallAnswer['content'][number] }) {
  const { type, text, data, mimeType } = block;
  if (type === 'text' && typeof text === 'string')
    return <CodeBlock label="content" text={visibleText(text)} />;
  if (
    type === 'image' &&
    typeof data === 'string' &&
    typeof mimeType === 'string' &&
    /^image\/(?:png|jpeg|gif|webp)$/.test(mimeType)
  )
    return (
      <img className={styles['image']} src={`data:${mimeType};base64,${data}`} alt="Part of the answer" />
    );
  return <JsonTree value={block} label={type} open={1} />;
}
