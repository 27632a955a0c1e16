import { PageHeader } from '../../components/page-header.tsx';

export default function UsagePage() {
  return <PageHeader title="Usage" />;
}
