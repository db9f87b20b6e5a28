import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { curves } from '@voisol/contract/curves'
import type { Operation } from '@voisol/contract/operations'
import { type SyncTask, sync } from '@voisol/contract/sync'
import { listDays } from '@voisol/energy/calendar'
import { useMemo, useState } from 'react'
import { useCan, withAccess } from '../../lib/can.tsx'
import { getMeterCountLabel } from '../../lib/energy-labels.ts'
import { formatPointName } from '../../lib/point-name.ts'
import { query } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { toCellKey } from '../../ui/matrix/selection.ts'
import { formatPeriodTitle } from '../../ui/period/label.ts'
import { PeriodBar } from '../../ui/period/period-bar.tsx'
import { usePeriod } from '../../ui/period/use-period.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CompletenessMatrix, MATRIX_TITLE } from './completeness/rows.tsx'
import { listRequestableDays } from './completeness/wanted.ts'
import { DayDialog, type SelectedDay } from './day/day-dialog.tsx'
import { RequestProgress } from './requests/following.tsx'
import type { RequestedDay } from './requests/plan.ts'
import { RequestMissingDaysDialog } from './requests/request-dialog.tsx'
import { useRequestDays } from './requests/use-request.ts'
import type { PointRow } from './rows.ts'

const NoPoint = ({ operation }: { operation: Operation }) => (
  <EmptyState
    title="Aucun point sur cette période"
    why="Aucun point ne participait à l’opération pendant ces jours."
    action={
      <ButtonLink variant="secondary" to={`/acc-operations/${operation.id}?onglet=participants`}>
        Voir les participants
      </ButtonLink>
    }
  />
)

/** The rows of the period and their days. */
function useCompletenessMatrix(operationId: string, from: string, to: string) {
  const { data, error, refetch } = useQuery({
    ...query(curves.matrix, { query: { operationId, from, to } }),
    placeholderData: keepPreviousData,
  })
  const rows = useMemo(
    () =>
      data?.rows.map(
        (row): PointRow => ({
          ...row,
          label: `${formatPointName(row)}${row.storage ? ` (${getMeterCountLabel(row).toLowerCase()})` : ''}`,
        }),
      ),
    [data],
  )
  const days = useMemo(() => (data ? listDays(data.from, data.to) : []), [data])
  return { rows, days, error, refetch }
}

type RequestMissingDaysProps = {
  operationId: string
  wanted: RequestedDay[] | null
  onStarted: (tasks: SyncTask[]) => void
  onClose: () => void
}

const RequestMissingDays = withAccess(
  sync.start,
  ({ operationId, wanted, onStarted, onClose }: RequestMissingDaysProps) => {
    const send = useRequestDays(operationId, onStarted)
    return <RequestMissingDaysDialog operationId={operationId} wanted={wanted} onSend={send} onClose={onClose} />
  },
)

/** What has come and what is missing, day by day; a day opens on all that was ever received for it. */
export default function CompletenessTab({ operation }: { operation: Operation }) {
  const [period, setPeriod] = usePeriod('month')
  const { rows, days, error, refetch } = useCompletenessMatrix(operation.id, period.from, period.to)
  const [chosen, setChosen] = useState<SelectedDay | null>(null)
  const [requestedDays, setAsked] = useState<RequestedDay[] | null>(null)
  const [started, setStarted] = useState<SyncTask[]>([])
  // Another round begins with nothing ticked.
  const [round, setRound] = useState(0)
  const canRequest = useCan()(sync.start)
  const follow = (tasks: SyncTask[]) => {
    setStarted(tasks)
    setRound((old) => old + 1)
  }
  const chosenMissingDays = chosen
    ? listRequestableDays(rows ?? [], days, new Set([toCellKey(chosen.pointId, chosen.day)]))
    : []
  const requestChosenDay = () => {
    setChosen(null)
    setAsked(chosenMissingDays)
  }
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <PeriodBar period={period} onChange={setPeriod} />
      {started.length > 0 && (
        <RequestProgress key={round} started={started} operationId={operation.id} onClose={() => setStarted([])} />
      )}
      <Card
        title={MATRIX_TITLE}
        description={`${formatPeriodTitle(period)}. Choisissez une journée pour voir ses versions.`}
      >
        {error && <ErrorState error={error} onRetry={refetch} />}
        {!rows && !error && <Skeleton className="h-96 w-full" />}
        {rows && rows.length === 0 && !error && <NoPoint operation={operation} />}
        {rows && rows.length > 0 && !error && (
          <CompletenessMatrix
            key={round}
            rows={rows}
            days={days}
            onSelect={setChosen}
            onRequest={canRequest ? setAsked : undefined}
          />
        )}
      </Card>
      <DayDialog
        chosen={chosen}
        onClose={() => setChosen(null)}
        onRequest={canRequest && chosenMissingDays.length > 0 ? requestChosenDay : undefined}
      />
      <RequestMissingDays
        operationId={operation.id}
        wanted={requestedDays}
        onStarted={follow}
        onClose={() => setAsked(null)}
      />
    </div>
  )
}
