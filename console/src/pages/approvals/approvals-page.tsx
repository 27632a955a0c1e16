import { PageHeader } from '../../components/page-header.tsx';

export default function ApprovalsPage() {
  return <PageHeader title="Approvals" />;
}
