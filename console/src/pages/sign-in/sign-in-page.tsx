import { PageHeader } from '../../components/page-header.tsx';

export default function SignInPage() {
  return <PageHeader title="SignIn" />;
}
