import { PageHeader } from '../../components/page-header.tsx';

export default function CallsPage() {
  return <PageHeader title="Calls" />;
}
