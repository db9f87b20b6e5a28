import type { Run } from '@voisol/contract/allocations'
import { addDays } from '@voisol/energy/calendar'
import { ALLOCATION_METHOD_LABELS } from '../../../lib/energy-labels.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { formatDayRange } from '../../../ui/period/label.ts'

export const RUN_KIND_LABELS = { provisional: 'Provisoire', definitive: 'Définitif' } as const

const RUN_STATUS_BADGES: Record<Run['status'], { label: string; tone: Tone }> = {
  queued: { label: 'En attente', tone: 'neutral' },
  running: { label: 'En cours', tone: 'info' },
  done: { label: 'Terminé', tone: 'success' },
  failed: { label: 'Échoué', tone: 'danger' },
}

/** « du 1er au 30 novembre 2026 ». */
export const formatRunDays = ({ from, to }: Pick<Run, 'from' | 'to'>) => formatDayRange(from, addDays(to, -1))

export const RunBadges = ({ run }: { run: Run }) => (
  <span className="inline-flex flex-wrap gap-1.5">
    {run.status !== 'done' && (
      <Badge tone={RUN_STATUS_BADGES[run.status].tone}>{RUN_STATUS_BADGES[run.status].label}</Badge>
    )}
    {run.status === 'done' && (
      <Badge tone={run.kind === 'definitive' ? 'success' : 'info'}>{RUN_KIND_LABELS[run.kind]}</Badge>
    )}
    {run.estimated && <Badge tone="warning">Avec estimations</Badge>}
    {run.signOff && <Badge tone="warning">Données incomplètes</Badge>}
    {run.staleAt && <Badge tone="warning">À rectifier</Badge>}
  </span>
)

const getMethodName = (method: string) =>
  Object.entries(ALLOCATION_METHOD_LABELS).find(([name]) => name === method)?.[1].label ?? method

/** « version 2, Statique ». */
export const formatRunKeys = ({ keys }: Pick<Run, 'keys'>) =>
  keys.map(({ number, method }) => `version ${number} (${getMethodName(method)})`).join(', ') || 'aucune'
