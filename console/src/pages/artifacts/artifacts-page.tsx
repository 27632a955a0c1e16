import { PageHeader } from '../../components/page-header.tsx';

export default function ArtifactsPage() {
  return <PageHeader title="Artifacts" />;
}
