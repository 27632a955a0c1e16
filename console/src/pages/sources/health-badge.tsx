import type { SourceHealth } from '../../../../gateway/src/server/http/admin/gateway-sources.ts';
import { Badge } from '../../components/badge.tsx';
import { HEALTH } from './source-words.ts';

export function HealthBadge({ health }: { readonly health: SourceHealth }) {
  const { tone, word, meaning } = HEALTH[health];
  return (
    <Badge tone={tone} title={meaning}>
      {word}
    </Badge>
  );
}
