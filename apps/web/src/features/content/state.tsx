import type { ContentRow } from '@voisol/contract/content'
import { Badge } from '../../ui/badge.tsx'
import { CONTENT_STATUS_BADGES } from './labels.ts'

/** What readers see, and whether something else is waiting. */
export const ContentStatusBadges = ({ row }: { row: Pick<ContentRow, 'status' | 'hasChanges'> }) => (
  <span className="inline-flex flex-wrap items-center gap-1.5">
    <Badge tone={CONTENT_STATUS_BADGES[row.status].tone}>{CONTENT_STATUS_BADGES[row.status].label}</Badge>
    {row.hasChanges && <Badge tone="warning">Modifications non publiées</Badge>}
  </span>
)
