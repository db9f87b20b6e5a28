import type { Run } from '@voisol/contract/allocations'
import { addDays } from '@voisol/energy/calendar'
import { METHODS } from '../../../lib/energy-labels.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { daysLabel } from '../../../ui/period/label.ts'

export const KINDS = { provisional: 'Provisoire', definitive: 'Définitif' } as const

const STATUSES: Record<Run['status'], { label: string; tone: Tone }> = {
  queued: { label: 'En attente', tone: 'neutral' },
  running: { label: 'En cours', tone: 'info' },
  done: { label: 'Terminé', tone: 'success' },
  failed: { label: 'Échoué', tone: 'danger' },
}

/** « du 1er au 30 novembre 2026 ». */
export const runDays = ({ from, to }: Pick<Run, 'from' | 'to'>) => daysLabel(from, addDays(to, -1))

export const RunMarks = ({ run }: { run: Run }) => (
  <span className="inline-flex flex-wrap gap-1.5">
    {run.status !== 'done' && <Badge tone={STATUSES[run.status].tone}>{STATUSES[run.status].label}</Badge>}
    {run.status === 'done' && <Badge tone={run.kind === 'definitive' ? 'success' : 'info'}>{KINDS[run.kind]}</Badge>}
    {run.estimated && <Badge tone="warning">Avec estimations</Badge>}
    {run.signOff && <Badge tone="warning">Données incomplètes</Badge>}
    {run.staleAt && <Badge tone="warning">À rectifier</Badge>}
  </span>
)

const methodName = (method: string) => Object.entries(METHODS).find(([name]) => name === method)?.[1].label ?? method

/** « version 2, Statique ». */
export const keyWords = ({ keys }: Pick<Run, 'keys'>) =>
  keys.map(({ number, method }) => `version ${number} (${methodName(method)})`).join(', ') || 'aucune'
