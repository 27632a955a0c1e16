import { PageHeader } from '../../components/page-header.tsx';

export default function AccessPage() {
  return <PageHeader title="Access" />;
}
