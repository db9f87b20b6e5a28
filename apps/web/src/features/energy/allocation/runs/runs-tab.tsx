import type { Run } from '@voisol/contract/allocations'
import type { Operation } from '@voisol/contract/operations'
import { Suspense } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { ButtonLink } from '../../../../components/button.tsx'
import { EmptyState } from '../../../../components/empty-state.tsx'
import { FilterChips } from '../../../../components/filter-bar.tsx'
import { lazy } from '../../../../components/lazy.tsx'
import { Link } from '../../../../components/link.tsx'
import { ListScreen } from '../../../../components/list-screen.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { usePeriod } from '../../../../components/period/period.ts'
import type { Column } from '../../../../components/table.tsx'
import { toChoices } from '../../../../lib/energy-labels.ts'
import { formatCount, formatDateTime, formatEnergy, formatNumber, formatPercent } from '../../../../lib/format.ts'
import { toWattHours } from '../labels.tsx'
import { useTabLink } from '../tab-and-period.ts'
import { formatRunDays, isRunActive, RUN_KIND_LABELS, RunBadges, useAllocationRuns } from './runs.tsx'
import { StartRunDialog } from './start-run.tsx'

const RunDetail = lazy(() => import('./run-detail.tsx'))

const formatDaysInForce = ({ status, daysInForce }: Run) =>
  status !== 'done' ? '–' : daysInForce > 0 ? formatCount(daysInForce, 'jour') : 'Remplacé'

const buildColumns = (link: (id: string) => string): Column<Run>[] => [
  {
    header: 'Période',
    card: 'title',
    sort: 'from',
    cell: (run) => (
      <span className="block min-w-44">
        <Link to={link(run.id)} className="font-medium text-link">
          {formatRunDays(run).replace(/^./, (letter) => letter.toUpperCase())}
        </Link>
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'status',
    cell: (run) => (
      <span className="flex items-center gap-2 whitespace-nowrap">
        <RunBadges run={run} />
        {isRunActive(run) && <span className="tabular text-ink-soft">{formatPercent(run.progress / 100, 0)}</span>}
      </span>
    ),
  },
  {
    header: 'Énergie locale',
    card: 'primary',
    align: 'end',
    cell: ({ totals }) => (totals ? formatEnergy(toWattHours(totals.allocated)) : '–'),
  },
  {
    header: 'Pas exclus',
    card: 'primary',
    align: 'end',
    cell: ({ counts }) => (counts ? `${formatNumber(counts.excluded)} sur ${formatNumber(counts.steps)}` : '–'),
  },
  { header: 'Fait foi pour', card: 'primary', align: 'end', cell: formatDaysInForce },
  {
    header: 'Lancé le',
    card: 'secondary',
    sort: 'createdAt',
    cell: ({ createdAt, createdBy }) => (
      <span className="block whitespace-nowrap">
        {formatDateTime(createdAt)}
        <span className="block text-[0.8125rem] text-ink-soft">
          {createdBy === 'Voisol' ? 'automatiquement' : `par ${createdBy}`}
        </span>
      </span>
    ),
  },
]

function RunList({ operation }: { operation: Operation }) {
  const navigate = useNavigate()
  const link = useTabLink()
  const [period] = usePeriod('month')
  const list = useAllocationRuns(operation.id)
  const start = (
    <StartRunDialog
      operation={operation}
      period={period}
      onStarted={({ id }) => void navigate(link('calculs', { calcul: id }))}
    />
  )
  return (
    <ListScreen
      list={list}
      label="Calculs de répartition"
      search="Rechercher une date ou une personne"
      columns={buildColumns((id) => link('calculs', { calcul: id }))}
      filters={
        <FilterChips
          label="Nature"
          options={toChoices(RUN_KIND_LABELS)}
          value={list.filters.kind}
          onChange={(kind) => list.setFilters({ kind })}
        />
      }
      actions={start}
      empty={
        <EmptyState
          title="Aucun calcul"
          why="Un calcul partage l’énergie relevée entre les participants, instant par instant, selon la clé en vigueur."
          action={
            <ButtonLink variant="secondary" to="/enedis-data">
              Vérifier les relevés reçus
            </ButtonLink>
          }
        />
      }
    />
  )
}

/** The runs of an operation, or the one that is open. */
export default function RunsTab({ operation }: { operation: Operation }) {
  const [search] = useSearchParams()
  const open = search.get('calcul')
  if (!open) return <RunList operation={operation} />
  return (
    <Suspense fallback={<Skeleton className="h-96 w-full" />}>
      <RunDetail key={open} id={open} operation={operation} />
    </Suspense>
  )
}
