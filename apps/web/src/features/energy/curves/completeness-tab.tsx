import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { curves } from '@voisol/contract/curves'
import type { Operation } from '@voisol/contract/operations'
import { type SyncTask, sync } from '@voisol/contract/sync'
import { listDays } from '@voisol/energy/calendar'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useMemo, useState } from 'react'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { SearchBox } from '../../../components/filter-bar.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { DayMatrix } from '../../../components/matrix/matrix.tsx'
import { getCellState, isGap, listGapKeys, type MatrixRow, toCellKey } from '../../../components/matrix/matrix-model.ts'
import { usePeriod } from '../../../components/period/period.ts'
import { PeriodBar } from '../../../components/period/period-bar.tsx'
import { formatPeriodTitle } from '../../../components/period/period-labels.ts'
import { Switch } from '../../../components/radio-group.tsx'
import { BulkBar } from '../../../components/table.tsx'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { formatPointName, getMeterCountLabel } from '../../../lib/energy-labels.ts'
import { formatCount } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { DayDialog, type SelectedDay } from './day/day-dialog.tsx'
import { createPointMatcher, type PointRow } from './labels.ts'
import {
  type RequestedDay,
  RequestMissingDaysDialog,
  RequestProgress,
  useRequestDays,
} from './requests/request-missing-days.tsx'

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

const MATRIX_TITLE = 'Complétude par point et par jour'

type Props = {
  rows: PointRow[]
  days: string[]
  onSelect: (chosen: SelectedDay) => void
  /** Missing where its reader may not ask the distributor again. */
  onRequest: ((wanted: RequestedDay[]) => void) | undefined
}

const filterIncompleteRows = (rows: PointRow[]) => rows.filter(({ cells }) => /[pm]/.test(cells))

function useRowFilter(rows: PointRow[]) {
  const [text, setText] = useState('')
  const [holes, setHoles] = useState(false)
  const shown = useMemo(() => {
    const matches = createPointMatcher(text)
    const matchingRows = rows.filter((row) => matches(row.label, row.prm))
    return holes ? filterIncompleteRows(matchingRows) : matchingRows
  }, [rows, text, holes])
  return { text, setText, holes, setHoles, shown }
}

type BarProps = { wanted: RequestedDay[]; onClear: () => void; onRequest: () => void }

const SelectionBar = ({ wanted, onClear, onRequest }: BarProps) => (
  <div className="sticky bottom-0 z-20 overflow-hidden rounded-card border border-line shadow-float [&>div]:rounded-b-none [&>div]:border-t-0">
    <BulkBar
      count={wanted.length}
      words={`${formatCount(wanted.length, 'journée')} sur ${formatCount(new Set(wanted.map(({ pointId }) => pointId)).size, 'point')}`}
      onClear={onClear}
    >
      <Button size="small" onClick={onRequest} icon={<RefreshCw aria-hidden="true" />}>
        Redemander au distributeur
      </Button>
    </BulkBar>
  </div>
)

/** The keys are told where there is likely a keyboard. */
const SelectionHelp = () => (
  <p className="prose-width text-body text-ink-soft">
    Cochez les journées manquantes ou partielles, une ligne, ou tout.{' '}
    <span className="hidden [@media(hover:hover)]:inline">
      Au clavier&nbsp;: les flèches, Espace pour une journée, Maj&nbsp;+&nbsp;Espace pour la ligne, Ctrl&nbsp;+&nbsp;A
      pour tout.
    </span>
  </p>
)

/** The matrix, to be read; or, once asked for, to choose the days that the distributor is asked for again. */
function CompletenessMatrix({ rows, days, onSelect, onRequest }: Props) {
  const { text, setText, holes, setHoles, shown } = useRowFilter(rows)
  const [choosing, setChoosing] = useState(false)
  const [cells, setCells] = useState<ReadonlySet<string>>(new Set())
  const requestedDays = listRequestableDays(rows, days, cells)
  const hasGaps = rows.some((row) => listGapKeys(row, days).length > 0)
  const toggleSelection = () => {
    setCells(new Set())
    setChoosing(!choosing)
  }
  const select = ({ row, day }: { row: { id: string; label: string }; day: string }) =>
    onSelect({ pointId: row.id, name: row.label, day })
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <div data-print="hide" className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <SearchBox label="Rechercher un point" value={text} onSearch={setText} className="w-full sm:w-80" />
        <Switch
          label="Points incomplets seulement"
          checked={holes}
          onChange={(event) => setHoles(event.target.checked)}
        />
        {onRequest && (hasGaps || choosing) && (
          <Button
            variant="secondary"
            className="sm:ml-auto"
            icon={!choosing && <RefreshCw aria-hidden="true" />}
            onClick={toggleSelection}
          >
            {choosing ? 'Quitter la sélection' : 'Redemander des journées'}
          </Button>
        )}
      </div>
      {choosing && <SelectionHelp />}
      {shown.length > 0 ? (
        <DayMatrix
          title={MATRIX_TITLE}
          rows={shown}
          days={days}
          onSelect={select}
          selection={choosing ? { cells, onChange: setCells } : undefined}
        />
      ) : (
        <p className="py-6 text-body text-ink-soft">
          {text ? 'Aucun point ne correspond à cette recherche.' : 'Aucun point n’a de manque sur cette période.'}
        </p>
      )}
      {onRequest && requestedDays.length > 0 && (
        <SelectionBar
          wanted={requestedDays}
          onClear={() => setCells(new Set())}
          onRequest={() => onRequest(requestedDays)}
        />
      )}
    </div>
  )
}

/** The ticked days that are still gaps of this period: what has come meanwhile is not asked for. */
const listRequestableDays = (rows: MatrixRow[], days: string[], cells: ReadonlySet<string>): RequestedDay[] =>
  cells.size === 0
    ? []
    : rows.flatMap((row) =>
        days.flatMap((day, column) =>
          cells.has(toCellKey(row.id, day)) && isGap(getCellState(row, column)) ? [{ pointId: row.id, day }] : [],
        ),
      )
