import { PageHeader } from '../../components/page-header.tsx';

export default function TokensPage() {
  return <PageHeader title="Tokens" />;
}
