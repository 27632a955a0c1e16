import { useState } from 'react';
import { useParams, useSearchParams } from 'wouter';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Tabs } from '../../components/layout/tabs.tsx';
import { AddSource } from './add-source.tsx';
import { ConnectionList } from './connection-list.tsx';
import { DropZone } from './drop-zone.tsx';
import { OwnerNotice } from './owner-notice.tsx';
import { useSourceEvents } from './queries.ts';
import { SourceList } from './source-list.tsx';
import { SourceView } from './source-view.tsx';

export default function SourcesPage() {
  const { name } = useParams<{ name?: string }>();
  useSourceEvents();
  return (
    <DropZone button={name === undefined}>
      {name === undefined ? <AllSources /> : <SourceView key={name} name={name} />}
    </DropZone>
  );
}

type Part = 'sources' | 'connections';

function AllSources() {
  const session = useSession().data;
  const [query, setQuery] = useSearchParams();
  const [adding, setAdding] = useState(false);
  const part: Part = query.get('show') === 'connections' ? 'connections' : 'sources';
  const own = session?.can.own ?? false;
  return (
    <>
      <PageHeader
        title="Sources"
        actions={
          own ? (
            <Button variant="primary" onClick={() => setAdding(true)}>
              Add a source
            </Button>
          ) : undefined
        }
      >
        Where the tools come from.{' '}
        {own ? 'Drop a document or a skill anywhere on this page to add it.' : null}
      </PageHeader>
      <OwnerNotice />
      <Tabs<Part>
        label="Sources"
        chosen={part}
        onChoose={(chosen) => setQuery(chosen === 'sources' ? {} : { show: chosen }, { replace: true })}
        tabs={[
          { name: 'sources', title: 'Sources' },
          { name: 'connections', title: 'Connections' },
        ]}
      >
        {part === 'sources' ? (
          <SourceList onAdd={own ? () => setAdding(true) : undefined} />
        ) : (
          <ConnectionList />
        )}
      </Tabs>
      {adding ? <AddSource onClose={() => setAdding(false)} /> : null}
    </>
  );
}
