import { PageHeader } from '../../components/page-header.tsx';

export default function PeoplePage() {
  return <PageHeader title="People" />;
}
