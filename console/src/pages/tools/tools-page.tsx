import { PageHeader } from '../../components/page-header.tsx';

export default function ToolsPage() {
  return <PageHeader title="Tools" />;
}
