import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { addressOf } from '../../api/client.ts';
import { BackLink } from '../../components/back-link.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { calledName } from '../../components/called-name.ts';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { Stack } from '../../components/layout/stack.tsx';
import { usePeople } from '../../components/people/use-people.ts';
import { bytes, count } from '../../components/quantities.ts';
import { QueryState } from '../../components/states/query-state.tsx';
import { Time } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { ArtifactContent } from './artifact-content.tsx';
import { ownerOf } from './artifact-list.tsx';
import { type DescribedArtifact, useArtifact } from './queries.ts';
import { RemoveArtifact } from './remove-artifact.tsx';

/** One artifact: what it is, and its content. */
export function ArtifactViewer({ id }: { readonly id: string }) {
  const described = useArtifact(id);
  if (described.data !== undefined) return <Shown artifact={described.data} />;
  return (
    <>
      <BackLink href="/artifacts">All artifacts</BackLink>
      <PageHeader title="Artifact" />
      <QueryState query={described} what="the artifact" title="The artifact could not be read" />
    </>
  );
}

function Shown({ artifact }: { readonly artifact: DescribedArtifact }) {
  const people = usePeople();
  const [, navigate] = useLocation();
  const [removing, setRemoving] = useState(false);
  const { id, name, mimeType, size, hash, createdAt, expiresAt, call } = artifact;
  return (
    <>
      <BackLink href="/artifacts">All artifacts</BackLink>
      <PageHeader
        title={visibleText(name)}
        actions={
          <>
            {/* the answer says itself that it is a download */}
            <ButtonLink href={addressOf(`/artifacts/${encodeURIComponent(id)}`)} download>
              Download {bytes(size)}
            </ButtonLink>
            <Button variant="danger" onClick={() => setRemoving(true)}>
              Remove
            </Button>
          </>
        }
      />
      <Stack>
        <Panel>
          <Facts
            of={[
              ['Type', visibleText(mimeType)],
              ['Size', `${count(size)} bytes`],
              ['Owner', artifact.owner === undefined ? undefined : ownerOf(artifact, people)],
              [
                'Call',
                call === undefined ? undefined : (
                  <>
                    <Link href={`/calls/${encodeURIComponent(call.id)}`}>
                      {visibleText(calledName(call.tool, call.operation))}
                    </Link>
                    {` of ${visibleText(call.source)}`}
                  </>
                ),
              ],
              ['Kept', <Time key="kept" at={createdAt} />],
              ['Expires', <Time key="expires" at={expiresAt} />],
              ['SHA-256', <code key="hash">{hash}</code>],
            ]}
          />
        </Panel>
        <Panel title="Content">
          <ArtifactContent artifact={artifact} />
        </Panel>
      </Stack>
      {removing ? (
        <RemoveArtifact
          artifact={artifact}
          onClose={() => setRemoving(false)}
          onRemoved={() => navigate('/artifacts', { replace: true })}
        />
      ) : null}
    </>
  );
}
