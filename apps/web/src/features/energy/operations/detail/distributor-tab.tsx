import { useQuery } from '@tanstack/react-query'
import type { Operation } from '@voisol/contract/operations'
import { type ReconciledMonth, reconciliation } from '@voisol/contract/reconciliation'
import { type PointSyncStatus, type SyncTask, sync } from '@voisol/contract/sync'
import { addDays } from '@voisol/energy/calendar'
import CloudDownload from 'lucide-react/icons/cloud-download'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Badge } from '../../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { DataRequestDialog } from '../../../../components/data-request/request-dialog.tsx'
import { FaultNote } from '../../../../components/distributor-fault.tsx'
import { EmptyState } from '../../../../components/empty-state.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { ExportMenu, toTableFormat } from '../../../../components/export-menu.tsx'
import { FilterChips } from '../../../../components/filter-bar.tsx'
import { Link } from '../../../../components/link.tsx'
import { Skeleton, TableSkeleton } from '../../../../components/loading.tsx'
import { getTodayInParis } from '../../../../components/period/period.ts'
import { isTaskActive, ResumeAllButton } from '../../../../components/sync-status.tsx'
import { type Column, Table } from '../../../../components/table.tsx'
import { Can, useCan, withAccess } from '../../../../lib/can.tsx'
import { VERDICT_LABELS } from '../../../../lib/distributor-labels.ts'
import { DIRECTION_LABELS, formatMeterLine, formatPointName, formatPrm } from '../../../../lib/energy-labels.ts'
import { explainError } from '../../../../lib/error-text.ts'
import { formatCount, formatDate, formatDateTime, formatKwh, formatNumber } from '../../../../lib/format.ts'
import { query, useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import { DistributorConnection, type DistributorStatus } from './distributor/connection.tsx'
import { EnergyDifference } from './distributor/gap.tsx'
import {
  formatArrivalTime,
  formatDistributorDay,
  formatParticipationDates,
  hasDateMismatch,
  isPointLate,
} from './distributor/labels.ts'
import { MonthRows, type PointNames } from './distributor/month-rows.tsx'
import { formatCauseCounts, formatMonthTitle } from './distributor/reconciliation-words.ts'
import { type ReconciliationLocation, useReconciliationLocation } from './distributor/use-place.ts'

const POLL_MS = 3000
const isTaskRunning = (task: SyncTask | null | undefined) => Boolean(task && isTaskActive(task))

/** How the operation stands with the distributor: what comes, what is held up, and whether the figures agree. */
export default function DistributorTab({ operation }: { operation: Operation }) {
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({
    ...query(sync.standing, { params: { id: operation.id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (isTaskRunning(state.data?.lastTask) ? POLL_MS : false),
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const blocked = data.points.filter(({ blockedAt }) => blockedAt !== null)
  const names = new Map(data.points.map(({ pointId, label }) => [pointId, label]))
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <DistributorConnection
        standing={data}
        action={
          <Can call={sync.start}>
            <DataRequestDialog
              operationId={operation.id}
              onStarted={({ id }) => void navigate(`/enedis-api/sync-tasks/${id}`)}
              trigger={<Button icon={<CloudDownload aria-hidden="true" />}>Demander des données</Button>}
            />
          </Can>
        }
      />
      {blocked.length > 0 && <BlockedPoints points={blocked} operationId={operation.id} />}
      <ReconciliationSection operation={operation} names={names} />
      <DistributorPoints points={data.points} perimeterAt={data.perimeterAt} />
      {data.strangers.length > 0 && <UnknownPoints operationId={operation.id} strangers={data.strangers} />}
    </div>
  )
}

type UnknownPoint = DistributorStatus['strangers'][number]

const columns: Column<UnknownPoint & { id: string }>[] = [
  { header: 'PRM', cell: (row) => <span className="tabular font-medium whitespace-nowrap">{formatPrm(row.prm)}</span> },
  { header: 'Sens', cell: ({ direction }) => DIRECTION_LABELS[direction] },
  {
    header: 'Dates chez Enedis',
    cell: (row) => <span className="block min-w-48">{formatParticipationDates(row)}</span>,
  },
]

/** Points the distributor counts in and we do not: energy goes to them that nobody sees here. */
const UnknownPoints = ({ operationId, strangers }: { operationId: string; strangers: UnknownPoint[] }) => (
  <div className="grid gap-3 [&>*]:min-w-0">
    <header className="flex flex-wrap items-start justify-between gap-3">
      <div>
        <h2 className="text-base font-semibold tracking-[-0.01em]">Points inconnus ici</h2>
        <p className="text-body text-ink-soft">
          {formatCount(strangers.length, 'point figure', 'points figurent')} dans la convention chez Enedis mais pas
          dans cette opération.
        </p>
      </div>
      <ButtonLink variant="secondary" to={`/acc-operations/${operationId}/participants`}>
        Gérer les participants
      </ButtonLink>
    </header>
    <Table
      label="Points inconnus ici"
      rows={strangers.map((row) => ({ ...row, id: `${row.prm}-${row.direction}` }))}
      columns={columns}
    />
  </div>
)

const ResumeButton = withAccess(sync.resume, ({ point }: { point: PointSyncStatus }) => {
  const { run, isPending } = useAction(sync.resume, [sync.standing])
  const resume = () =>
    run({ params: { id: point.pointId } }).then(
      () => toast({ title: 'Les appels de ce point reprennent', variant: 'success' }),
      (error: unknown) =>
        toast({ title: 'Reprise impossible', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button
      variant="secondary"
      size="small"
      icon={<RotateCcw aria-hidden="true" />}
      loading={isPending}
      aria-label={`Reprendre les appels de ${formatPointName(point)}`}
      onClick={() => void resume()}
    >
      Reprendre
    </Button>
  )
})

const BlockedPoint = ({ point }: { point: PointSyncStatus }) => (
  <li className="grid gap-x-6 gap-y-2 py-4 first:pt-0 last:pb-0 lg:grid-cols-[16rem_1fr_auto] lg:items-start [&>*]:min-w-0">
    <p className="text-body">
      <span className="font-medium">{formatPointName(point)}</span>
      <span className="tabular block text-[0.8125rem] text-ink-soft">{formatPrm(point.prm)}</span>
      {point.blockedAt && (
        <span className="block text-[0.8125rem] text-ink-soft">Sans appel depuis le {formatDate(point.blockedAt)}</span>
      )}
    </p>
    {point.fault ? <FaultNote fault={{ ...point.fault, message: '' }} className="prose-width" /> : <span />}
    <div>
      <ResumeButton point={point} />
    </div>
  </li>
)

/** Points that are not called any more: the reason, what to do, and the way back. */
const BlockedPoints = ({ points, operationId }: { points: PointSyncStatus[]; operationId: string }) => (
  <Card
    title="Points bloqués"
    actions={points.length > 1 && <ResumeAllButton operationId={operationId} />}
    description={`Enedis a refusé ${formatCount(points.length, 'point', 'points')}\u00a0: plus aucun appel n’est fait tant que la cause n’est pas levée.${useCan()(sync.resume) ? ' Reprenez ensuite les appels.' : ''}`}
  >
    <ul className="divide-y divide-line">
      {points.map((point) => (
        <BlockedPoint key={point.pointId} point={point} />
      ))}
    </ul>
  </Card>
)

const RENEWAL_WARNING_DAYS = 60

const ReceivedUntilCell = (point: PointSyncStatus) =>
  point.receivedUntil ? (
    <span className="whitespace-nowrap">
      {isPointLate(point) ? (
        <Badge tone="warning">{formatDistributorDay(point.receivedUntil)}</Badge>
      ) : (
        formatDistributorDay(point.receivedUntil)
      )}
    </span>
  ) : (
    <span className="text-ink-soft">Rien reçu</span>
  )

const CallStateCell = ({ blockedAt }: PointSyncStatus) =>
  blockedAt ? <Badge tone="danger">Bloqués</Badge> : <Badge tone="success">Ouverts</Badge>

const AccessUntilCell = ({ accessUntil }: PointSyncStatus) => {
  if (!accessUntil) return <span className="text-ink-soft">Non lu</span>
  const today = getTodayInParis()
  if (accessUntil < today) return <Badge tone="danger">Fini le {formatDistributorDay(accessUntil)}</Badge>
  return accessUntil < addDays(today, RENEWAL_WARNING_DAYS) ? (
    <Badge tone="warning">{formatDistributorDay(accessUntil)}</Badge>
  ) : (
    <span className="whitespace-nowrap">{formatDistributorDay(accessUntil)}</span>
  )
}

/** Both sides where they differ; once where they say the same. */
const ParticipationDatesCell = ({ point, read }: { point: PointSyncStatus; read: boolean }) => (
  <span className="block min-w-52">
    {formatParticipationDates(point).replace(/^./, (letter) => letter.toUpperCase())}
    {point.theirs && hasDateMismatch(point) ? (
      <span className="block text-[0.8125rem] font-medium text-warning">
        Chez Enedis&nbsp;: {formatParticipationDates(point.theirs)}
      </span>
    ) : (
      read && (
        <span className="block text-[0.8125rem] text-ink-soft">
          {point.theirs ? 'Mêmes dates chez Enedis' : 'Absent du périmètre lu chez Enedis'}
        </span>
      )
    )}
  </span>
)

const buildColumns = (perimeterAt: string | null): Column<PointSyncStatus & { id: string }>[] => [
  {
    header: 'Point',
    cell: (point) => (
      <span className="block min-w-44 py-1">
        <span className="font-medium">{formatPointName(point)}</span>
        <span className="tabular block text-[0.8125rem] whitespace-nowrap text-ink-soft">{formatMeterLine(point)}</span>
      </span>
    ),
  },
  { header: 'Reçu jusqu’au', cell: (point) => <ReceivedUntilCell {...point} /> },
  { header: 'Appels', cell: (point) => <CallStateCell {...point} /> },
  {
    header: 'Arrivée habituelle',
    cell: ({ arrivalMinutes, samples }) =>
      arrivalMinutes === null ? (
        <span className="whitespace-nowrap text-ink-soft">Pas encore connue</span>
      ) : (
        <span className="block whitespace-nowrap">
          {formatArrivalTime(arrivalMinutes)}
          <span className="block text-[0.8125rem] text-ink-soft">d’après {formatCount(samples, 'jour')}</span>
        </span>
      ),
  },
  { header: 'Accès jusqu’au', cell: (point) => <AccessUntilCell {...point} /> },
  {
    header: 'Dates de participation',
    cell: (point) => <ParticipationDatesCell point={point} read={perimeterAt !== null} />,
  },
]

/** What is held up first, then the others as they came. */
const sortBlockedFirst = (points: PointSyncStatus[]) =>
  points
    .map((point) => ({ ...point, id: point.pointId }))
    .sort((a, b) => Number(b.blockedAt !== null) - Number(a.blockedAt !== null))

const isAccessEnding = ({ accessUntil }: PointSyncStatus) =>
  accessUntil !== null && accessUntil < addDays(getTodayInParis(), RENEWAL_WARNING_DAYS)
const hasOtherDates = (point: PointSyncStatus) => point.theirs === null || hasDateMismatch(point)
const POINT_FILTERS = [
  { value: 'blocked', label: 'Bloqués', holds: ({ blockedAt }: PointSyncStatus) => blockedAt !== null },
  { value: 'late', label: 'En retard', holds: (point: PointSyncStatus) => isPointLate(point) },
  { value: 'ending', label: 'Accès à renouveler', holds: isAccessEnding },
  { value: 'dates', label: 'Dates à rapprocher', holds: hasOtherDates },
]

type PointsProps = { points: PointSyncStatus[]; perimeterAt: string | null }

function PointTable({ points, perimeterAt }: PointsProps) {
  const [filter, setFilter] = useState<string>()
  const usefulFilters = POINT_FILTERS.filter(({ value }) => value !== 'dates' || perimeterAt).flatMap(
    ({ holds, ...option }) => {
      const count = points.filter(holds).length
      return count > 0 ? [{ ...option, count }] : []
    },
  )
  const holds = POINT_FILTERS.find(({ value }) => value === filter)?.holds ?? (() => true)
  return (
    <>
      {usefulFilters.length > 0 && (
        <FilterChips label="Points montrés" options={usefulFilters} value={filter} onChange={setFilter} />
      )}
      <Table
        label="Points chez le distributeur"
        rows={sortBlockedFirst(points.filter(holds))}
        columns={buildColumns(perimeterAt)}
      />
    </>
  )
}

const DistributorPoints = ({ points, perimeterAt }: PointsProps) => (
  <div className="grid gap-3 [&>*]:min-w-0">
    <header>
      <h2 className="text-base font-semibold tracking-[-0.01em]">Points</h2>
      <p className="text-body text-ink-soft">
        {perimeterAt
          ? `Périmètre de la convention lu chez Enedis le ${formatDateTime(perimeterAt)}.`
          : 'Le périmètre de la convention n’a pas encore été lu chez Enedis\u00a0: demandez-le pour comparer les dates.'}
      </p>
    </header>
    {points.length > 0 ? (
      <PointTable points={points} perimeterAt={perimeterAt} />
    ) : (
      <EmptyState
        title="Aucun point"
        why="Ajoutez des participants à l’opération&nbsp;: leurs points seront suivis ici."
        action={
          <ButtonLink variant="secondary" to="/participants">
            Voir les participants
          </ButtonLink>
        }
      />
    )}
  </div>
)

/** Always the same unit: the two columns are there to be compared. */
const formatWhAsKwh = (wattHours: number) => formatKwh(wattHours / 1000)

type Row = ReconciledMonth & { id: string }

const reconciliationBuildColumns = (link: (place: ReconciliationLocation) => string): Column<Row>[] => [
  {
    header: 'Mois',
    cell: ({ month, verdict }) => (
      <span className="block min-w-32 whitespace-nowrap">
        {verdict === 'nothing-to-compare' ? (
          <span className="font-medium">{formatMonthTitle(month)}</span>
        ) : (
          <Link to={link({ month })} preventScrollReset className="font-medium text-link">
            {formatMonthTitle(month)}
          </Link>
        )}
      </span>
    ),
  },
  {
    header: 'Résultat',
    cell: ({ verdict }) => <Badge tone={VERDICT_LABELS[verdict].tone}>{VERDICT_LABELS[verdict].label}</Badge>,
  },
  { header: 'Notre calcul', align: 'end', cell: ({ oursWh }) => formatWhAsKwh(oursWh) },
  {
    header: 'Enedis',
    align: 'end',
    cell: ({ theirsWh, definitive }) => (
      <span className="block whitespace-nowrap">
        {formatWhAsKwh(theirsWh)}
        <span className="block text-[0.8125rem] text-ink-soft">{definitive ? 'définitif' : 'provisoire'}</span>
      </span>
    ),
  },
  { header: 'Écart', align: 'end', cell: ({ oursWh, theirsWh }) => <EnergyDifference wattHours={oursWh - theirsWh} /> },
  {
    header: 'Points comparés',
    cell: ({ points, causes }) => (
      <span className="block min-w-52">
        {formatCount(points, 'point')}
        <span className="block text-[0.8125rem] text-ink-soft">{formatCauseCounts(causes)}</span>
      </span>
    ),
  },
  {
    header: 'Comparé',
    cell: ({ checkedAt }) => <span className="whitespace-nowrap">{formatDateTime(checkedAt)}</span>,
  },
]

function ReconciledMonths({
  operation,
  link,
}: {
  operation: Operation
  link: (place: ReconciliationLocation) => string
}) {
  const { data, error, refetch } = useQuery({
    ...query(reconciliation.months, { params: { id: operation.id } }),
    staleTime: 0,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <TableSkeleton label="Mois rapprochés" />
  if (data.items.length === 0)
    return (
      <EmptyState
        title="Rien à comparer"
        why="Enedis n’a pas encore donné ses chiffres. Demandez les séries de la convention ou les quantités définitives d’un mois terminé."
        because="chosen-here"
      />
    )
  return (
    <>
      <Table
        label="Mois rapprochés"
        rows={data.items.map((item) => ({ ...item, id: item.month }))}
        columns={reconciliationBuildColumns(link)}
      />
      <p className="text-[0.8125rem] text-ink-soft">
        Un écart d’un demi-watt par pas, et d’au plus {formatNumber(data.toleranceWh)}&nbsp;Wh par point et par mois,
        est un arrondi&nbsp;; Enedis donne les quantités définitives en kWh entiers, ce qui en laisse moins d’un par
        classe horaire.
      </p>
    </>
  )
}

/** Our figures beside the distributor's: by month, then point, day and step. */
const ReconciliationSection = withAccess(
  reconciliation.months,
  ({ operation, names }: { operation: Operation; names: PointNames }) => {
    const { place, link } = useReconciliationLocation()
    const { month, pointId, day } = place
    return (
      <section aria-label="Rapprochement avec Enedis" className="grid gap-3 [&>*]:min-w-0">
        <header className="flex flex-wrap items-start justify-between gap-3">
          <div>
            <h2 className="text-base font-semibold tracking-[-0.01em]">Rapprochement</h2>
            <p className="text-body text-ink-soft">
              L’énergie locale selon notre calcul et selon Enedis&nbsp;; chaque écart a sa cause.
            </p>
          </div>
          {month && (
            <ExportMenu
              endpoint={reconciliation.export}
              input={(format) => ({
                params: { id: operation.id },
                query: { month, pointId, day, level: getLevel(place), format: toTableFormat(format) },
              })}
            />
          )}
        </header>
        {month ? (
          <MonthRows operationId={operation.id} names={names} place={{ month, pointId, day }} link={link} />
        ) : (
          <ReconciledMonths operation={operation} link={link} />
        )}
      </section>
    )
  },
)

const getLevel = ({ pointId, day }: ReconciliationLocation): 'month' | 'day' | 'step' =>
  day ? 'step' : pointId ? 'day' : 'month'
