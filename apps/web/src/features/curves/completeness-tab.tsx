import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { curves } from '@voisol/contract/curves'
import type { Operation } from '@voisol/contract/operations'
import { type SyncTask, sync } from '@voisol/contract/sync'
import { listDays } from '@voisol/energy/calendar'
import { useMemo, useState } from 'react'
import { only, useCan } from '../../lib/can.tsx'
import { countWord } from '../../lib/energy-labels.ts'
import { pointName } from '../../lib/point-name.ts'
import { query } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { cellKey } from '../../ui/matrix/selection.ts'
import { periodTitle } from '../../ui/period/label.ts'
import { PeriodBar } from '../../ui/period/period-bar.tsx'
import { usePeriod } from '../../ui/period/use-period.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { MATRIX_TITLE, Rows } from './completeness/rows.tsx'
import { wantedOf } from './completeness/wanted.ts'
import { DayDialog, type DayOf } from './day/day-dialog.tsx'
import { Following } from './requests/following.tsx'
import type { WantedDay } from './requests/plan.ts'
import { RequestDialog } from './requests/request-dialog.tsx'
import { useRequest } from './requests/use-request.ts'
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
function useMatrix(operationId: string, from: string, to: string) {
  const { data, error, refetch } = useQuery({
    ...query(curves.matrix, { query: { operationId, from, to } }),
    placeholderData: keepPreviousData,
  })
  const rows = useMemo(
    () =>
      data?.rows.map(
        (row): PointRow => ({
          ...row,
          label: `${pointName(row)}${row.storage ? ` (${countWord(row).toLowerCase()})` : ''}`,
        }),
      ),
    [data],
  )
  const days = useMemo(() => (data ? listDays(data.from, data.to) : []), [data])
  return { rows, days, error, refetch }
}

type RequestsProps = {
  operationId: string
  wanted: WantedDay[] | null
  onStarted: (tasks: SyncTask[]) => void
  onClose: () => void
}

const Requests = only(sync.start, ({ operationId, wanted, onStarted, onClose }: RequestsProps) => {
  const send = useRequest(operationId, onStarted)
  return <RequestDialog operationId={operationId} wanted={wanted} onSend={send} onClose={onClose} />
})

/** What has come and what is missing, day by day; a day opens on all that was ever received for it. */
export default function CompletenessTab({ operation }: { operation: Operation }) {
  const [period, setPeriod] = usePeriod('month')
  const { rows, days, error, refetch } = useMatrix(operation.id, period.from, period.to)
  const [chosen, setChosen] = useState<DayOf | null>(null)
  const [asked, setAsked] = useState<WantedDay[] | null>(null)
  const [started, setStarted] = useState<SyncTask[]>([])
  // Another round begins with nothing ticked.
  const [round, setRound] = useState(0)
  const asks = useCan()(sync.start)
  const follow = (tasks: SyncTask[]) => {
    setStarted(tasks)
    setRound((old) => old + 1)
  }
  const again = chosen ? wantedOf(rows ?? [], days, new Set([cellKey(chosen.pointId, chosen.day)])) : []
  const askAgain = () => {
    setChosen(null)
    setAsked(again)
  }
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <PeriodBar period={period} onChange={setPeriod} />
      {started.length > 0 && (
        <Following key={round} started={started} operationId={operation.id} onClose={() => setStarted([])} />
      )}
      <Card title={MATRIX_TITLE} description={`${periodTitle(period)}. Choisissez une journée pour voir ses versions.`}>
        {error && <ErrorState error={error} onRetry={refetch} />}
        {!rows && !error && <Skeleton className="h-96 w-full" />}
        {rows && rows.length === 0 && !error && <NoPoint operation={operation} />}
        {rows && rows.length > 0 && !error && (
          <Rows key={round} rows={rows} days={days} onSelect={setChosen} onRequest={asks ? setAsked : undefined} />
        )}
      </Card>
      <DayDialog
        chosen={chosen}
        onClose={() => setChosen(null)}
        onRequest={asks && again.length > 0 ? askAgain : undefined}
      />
      <Requests operationId={operation.id} wanted={asked} onStarted={follow} onClose={() => setAsked(null)} />
    </div>
  )
}
