import type { Run } from '@voisol/contract/allocations'
import PenLine from 'lucide-react/icons/pen-line'
import { formatDateTime } from '../../../lib/format.ts'
import { MissingList } from './missing-list.tsx'

/** The word of whoever closed the figures without what was missing. */
export function SignOffNotice({ signOff }: { signOff: NonNullable<Run['signOff']> }) {
  const { reason, by, at, missing } = signOff
  return (
    <section
      aria-label="Confirmation malgré des données incomplètes"
      className="grid gap-3 rounded-card bg-warning-soft p-4 text-body"
    >
      <p className="flex items-start gap-2 font-medium text-warning">
        <PenLine aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        Confirmé malgré des données incomplètes, par {by} le {formatDateTime(at)}
      </p>
      <blockquote className="prose-width border-l-2 border-warning pl-3">{reason}</blockquote>
      <MissingList missing={missing} />
    </section>
  )
}
