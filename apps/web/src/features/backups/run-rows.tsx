import type { CopyRun } from '@voisol/contract/backups'
import { formatDateTime } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/table.tsx'
import type { Detail } from '../../ui/table-detail.tsx'
import { COPY_RUN_KIND_LABELS, COPY_RUN_STATE_BADGES, formatCopyDuration } from './words.ts'

export const runColumns: Column<CopyRun>[] = [
  {
    header: 'Travail',
    card: 'title',
    cell: ({ kind, startedAt, askedBy }) => (
      <span className="block min-w-44">
        <span className="block font-medium">{COPY_RUN_KIND_LABELS[kind]}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{`${formatDateTime(startedAt)}, ${askedBy}`}</span>
      </span>
    ),
  },
  {
    header: 'Résultat',
    card: 'primary',
    cell: ({ state }) => <Badge tone={COPY_RUN_STATE_BADGES[state].tone}>{COPY_RUN_STATE_BADGES[state].label}</Badge>,
  },
  { header: 'Durée', card: 'primary', cell: ({ seconds }) => (seconds === null ? '—' : formatCopyDuration(seconds)) },
]

/** What was looked at, and whether it held. */
export const runDetail: Detail<CopyRun> = {
  label: ({ kind, startedAt }) => `Détail\u00a0: ${COPY_RUN_KIND_LABELS[kind]} du ${formatDateTime(startedAt)}`,
  content: ({ copy, failure, findings }) => (
    <div className="grid gap-2 text-body">
      {copy && <p className="text-ink-soft">{copy}</p>}
      {failure && <p className="text-danger">{failure}</p>}
      {findings.length > 0 && (
        <ul className="grid gap-1.5">
          {findings.map(({ label, ok, detail }) => (
            <li key={label} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
              <Badge tone={ok ? 'success' : 'danger'}>{label}</Badge>
              <span className="text-ink-soft">{detail}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  ),
}
