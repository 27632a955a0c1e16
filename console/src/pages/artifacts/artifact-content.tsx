import { useMemo, useState } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { JsonTree } from '../../components/json/json-tree.tsx';
import { Tabs } from '../../components/layout/tabs.tsx';
import { bytes as bytesText } from '../../components/quantities.ts';
import { Notice } from '../../components/states/notice.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { kindOf } from './content-kind.ts';
import { hexDump } from './hex.ts';
import { ImageView } from './image-view.tsx';
import { type Artifact, type ArtifactBytes, useArtifactBytes } from './queries.ts';
import { readContent } from './read-content.ts';
import { TableView } from './table-view.tsx';
import { TextView } from './text-view.tsx';

/** Read at most, bytes: a larger one is shown by its beginning and downloaded whole. */
const MOST = 1_000_000;
const MOST_IMAGE = 20_000_000;
const MOST_HEX = 4_096;

/** What is in an artifact, by its content type. */
export function ArtifactContent({ artifact }: { readonly artifact: Artifact }) {
  const kind = kindOf(artifact.mimeType);
  const most = kind === 'image' ? MOST_IMAGE : kind === 'bytes' ? MOST_HEX : MOST;
  if (kind === 'image' && artifact.size > most) {
    return (
      <Notice title={`An image of ${bytesText(artifact.size)} is not drawn here`}>
        Download it to look at it.
      </Notice>
    );
  }
  if (artifact.size === 0) return <Notice title="It is empty" />;
  return <Read artifact={artifact} most={most} />;
}

function Read({ artifact, most }: { readonly artifact: Artifact; readonly most: number }) {
  const read = useArtifactBytes(artifact, most);
  const { data } = read;
  if (data === undefined)
    return <QueryState query={read} what="the content" rows={8} title="The content could not be read" />;
  const kind = kindOf(artifact.mimeType);
  return (
    <>
      {data.whole ? null : (
        <Notice title={`The first ${bytesText(data.bytes.length)} of ${bytesText(artifact.size)}`}>
          The whole is a download away.
        </Notice>
      )}
      {kind === 'image' ? <ImageView artifact={artifact} bytes={data.bytes} /> : null}
      {kind === 'bytes' ? <CodeBlock text={hexDump(data.bytes)} label="first bytes" /> : null}
      {kind === 'json' || kind === 'csv' || kind === 'text' ? (
        <Words artifact={artifact} read={data} />
      ) : null}
    </>
  );
}

type View = 'table' | 'tree' | 'text';
const TITLES: Readonly<Record<View, string>> = { table: 'Table', tree: 'Tree', text: 'Text' };

/** What can be read as text, in each way that fits it. */
function Words({ artifact, read }: { readonly artifact: Artifact; readonly read: ArtifactBytes }) {
  const content = useMemo(() => readContent(kindOf(artifact.mimeType), read), [artifact.mimeType, read]);
  const views: View[] = [
    ...(content.table === undefined ? [] : (['table'] as const)),
    ...(content.json === undefined ? [] : (['tree'] as const)),
    'text',
  ];
  const [chosen, setChosen] = useState<View>();
  const view = chosen ?? views[0]!;
  const shown =
    view === 'table' ? (
      <TableView table={content.table!} label={artifact.name} />
    ) : view === 'tree' ? (
      <JsonTree value={content.json!.value} label={artifact.name} open={1} />
    ) : (
      <TextView text={content.text} label={artifact.name} />
    );
  return (
    <>
      {content.notJson ? (
        <Notice tone="warn" title="This is no JSON, though its content type says so" />
      ) : null}
      {views.length === 1 ? (
        shown
      ) : (
        <Tabs<View>
          label="Ways to look at it"
          tabs={views.map((name) => ({ name, title: TITLES[name] }))}
          chosen={view}
          onChoose={setChosen}
        >
          {shown}
        </Tabs>
      )}
    </>
  );
}
