import { Badge } from '../../components/badge.tsx';
import type { ShownSource } from './queries.ts';
import { healthOf } from './source-words.ts';

export function HealthBadge({ source }: { readonly source: ShownSource }) {
  const { tone, word, meaning } = healthOf(source);
  return (
    <Badge tone={tone} title={meaning}>
      {word}
    </Badge>
  );
}
