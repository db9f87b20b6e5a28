import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { curves } from '@voisol/contract/curves'
import type { Operation } from '@voisol/contract/operations'
import { listDays } from '@voisol/energy/calendar'
import { useMemo, useState } from 'react'
import { prm } from '../../lib/energy-labels.ts'
import { query } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Matrix } from '../../ui/matrix/matrix.tsx'
import { periodLabel } from '../../ui/period/label.ts'
import { PeriodBar } from '../../ui/period/period-bar.tsx'
import { usePeriod } from '../../ui/period/use-period.ts'
import { SearchBox } from '../../ui/search-box.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { DayDialog, type DayOf } from './day/day-dialog.tsx'
import { type PointRow, withHoles } from './rows.ts'
import { seeker } from './search.ts'

const MATRIX_TITLE = 'Complétude par point et par jour'

function Rows({ rows, days, onSelect }: { rows: PointRow[]; days: string[]; onSelect: (chosen: DayOf) => void }) {
  const [text, setText] = useState('')
  const [holes, setHoles] = useState(false)
  const shown = useMemo(() => {
    const isMeant = seeker(text)
    const found = rows.filter((row) => isMeant(row.label, row.prm))
    return holes ? withHoles(found) : found
  }, [rows, text, holes])
  const select = ({ row, day }: { row: { id: string }; day: string }) => {
    const point = rows.find(({ id }) => id === row.id)
    if (point) onSelect({ pointId: point.id, name: point.label, day })
  }
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <div data-print="hide" className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <SearchBox label="Rechercher un point" value={text} onSearch={setText} className="w-full sm:w-80" />
        <Switch
          label="Points incomplets seulement"
          checked={holes}
          onChange={(event) => setHoles(event.target.checked)}
        />
      </div>
      {shown.length > 0 ? (
        <Matrix title={MATRIX_TITLE} rows={shown} days={days} onSelect={select} />
      ) : (
        <p className="py-6 text-body text-ink-soft">
          {text ? 'Aucun point ne correspond à cette recherche.' : 'Aucun point n’a de manque sur cette période.'}
        </p>
      )}
    </div>
  )
}

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

/** What has come and what is missing, day by day; a day opens on all that was ever received for it. */
export default function CompletenessTab({ operation }: { operation: Operation }) {
  const [period, setPeriod] = usePeriod('month')
  const { from, to } = period
  const { data, error, refetch } = useQuery({
    ...query(curves.matrix, { query: { operationId: operation.id, from, to } }),
    placeholderData: keepPreviousData,
  })
  const [chosen, setChosen] = useState<DayOf | null>(null)
  const rows = useMemo(() => data?.rows.map((row): PointRow => ({ ...row, label: row.label || prm(row.prm) })), [data])
  const days = useMemo(() => (data ? listDays(data.from, data.to) : []), [data])
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <PeriodBar period={period} onChange={setPeriod} />
      <Card
        title={MATRIX_TITLE}
        description={`${periodLabel(period)}. Choisissez une journée pour voir ses versions.`.replace(/^./, (first) =>
          first.toUpperCase(),
        )}
      >
        {error && <ErrorState error={error} onRetry={refetch} />}
        {!rows && !error && <Skeleton className="h-96 w-full" />}
        {rows &&
          !error &&
          (rows.length > 0 ? <Rows rows={rows} days={days} onSelect={setChosen} /> : <NoPoint operation={operation} />)}
      </Card>
      <DayDialog chosen={chosen} onClose={() => setChosen(null)} />
    </div>
  )
}
