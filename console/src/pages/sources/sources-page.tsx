import { PageHeader } from '../../components/page-header.tsx';

export default function SourcesPage() {
  return <PageHeader title="Sources" />;
}
