import { Link } from 'wouter';
import { EmptyState } from '../components/states/empty-state.tsx';
import { usePageTitle } from './page-title.ts';

export function NotFound() {
  usePageTitle('No such page');
  return (
    <EmptyState title="There is no such page">
      <p>
        <Link href="/calls">Back to the calls</Link>
      </p>
    </EmptyState>
  );
}
