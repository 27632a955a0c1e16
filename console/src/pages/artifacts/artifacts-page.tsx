import { useParams } from 'wouter';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { ArtifactList } from './artifact-list.tsx';
import { ArtifactViewer } from './artifact-viewer.tsx';

export default function ArtifactsPage() {
  const { id } = useParams<{ id?: string }>();
  if (id !== undefined) return <ArtifactViewer key={id} id={id} />;
  return (
    <>
      <PageHeader title="Artifacts">
        Full outputs of calls that were too large for an answer, kept until they expire.
      </PageHeader>
      <ArtifactList />
    </>
  );
}
