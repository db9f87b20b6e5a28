import type { Project } from '@voisol/contract/projects'
import { Badge } from '../../../components/badge.tsx'
import { cx } from '../../../components/cx.ts'
import { Link } from '../../../components/link.tsx'
import type { Column } from '../../../components/table.tsx'
import { formatDate, formatNumber, formatPercent } from '../../../lib/format.ts'
import { formatKwc, formatYears, PROJECT_KIND_LABELS, PROJECT_STATUS_LABELS } from './labels.ts'

export const StatusBadge = ({ status }: Pick<Project, 'status'>) => (
  <Badge tone={PROJECT_STATUS_LABELS[status].tone}>{PROJECT_STATUS_LABELS[status].label}</Badge>
)

/** What comes next and when; a day that has passed says so in words. */
export const NextStep = ({ step }: { step: Project['nextStep'] }) =>
  step ? (
    <span className="block">
      <span className="block">{step.title}</span>
      {step.dueOn && (
        <span className={cx('tabular block text-[0.8125rem]', step.late ? 'font-medium text-danger' : 'text-ink-soft')}>
          {step.late ? 'En retard depuis le ' : 'Pour le '}
          {formatDate(step.dueOn)}
        </span>
      )}
    </span>
  ) : (
    <span className="text-ink-soft">Aucune étape à venir</span>
  )

const UNKNOWN_VALUE = <span className="text-ink-muted">—</span>

export const projectColumns: Column<Project>[] = [
  {
    header: 'Projet',
    card: 'title',
    sort: 'name',
    cell: ({ id, name, kind, city }) => (
      <span className="block min-w-48">
        <Link to={`/projects/${id}`} className="inline-flex min-h-6 items-center font-medium text-link">
          {name}
        </Link>
        <span className="block text-[0.8125rem] text-ink-soft">
          {[PROJECT_KIND_LABELS[kind], city].filter(Boolean).join(' · ')}
        </span>
      </span>
    ),
  },
  { header: 'État', card: 'primary', sort: 'status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    header: 'Puissance',
    card: 'primary',
    sort: 'peakWatts',
    align: 'end',
    cell: ({ peakWatts }) => (
      <span className="whitespace-nowrap">{peakWatts ? formatKwc(peakWatts) : UNKNOWN_VALUE}</span>
    ),
  },
  {
    header: 'Candidats',
    card: 'primary',
    sort: 'candidates',
    align: 'end',
    cell: ({ candidates }) => formatNumber(candidates),
  },
  {
    header: 'Autoconsommation',
    card: 'none',
    sort: 'selfConsumption',
    align: 'end',
    cell: ({ selfConsumption }) => (selfConsumption === null ? UNKNOWN_VALUE : formatPercent(selfConsumption, 0)),
  },
  {
    header: 'Retour',
    card: 'none',
    sort: 'payback',
    align: 'end',
    cell: ({ payback }) => (
      <span className="whitespace-nowrap">{payback === null ? UNKNOWN_VALUE : formatYears(payback)}</span>
    ),
  },
  {
    header: 'Prochaine étape',
    card: 'secondary',
    sort: 'nextStep',
    cell: ({ nextStep }) => (
      <span className="block min-w-44">
        <NextStep step={nextStep} />
      </span>
    ),
  },
]
