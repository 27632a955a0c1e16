import { PageHeader } from '../../components/page-header.tsx';

export default function DoctorPage() {
  return <PageHeader title="Doctor" />;
}
