import { useQuery } from '@tanstack/react-query'
import { type SupportMonthFigures, supportDesk } from '@voisol/contract/support-agents'
import type { SupportTeam } from '@voisol/contract/support-labels'
import { useState } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { KpiTile } from '../../../components/tile.tsx'
import { useCan } from '../../../lib/can.tsx'
import { formatMonth, formatNumber, formatPercent } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { DESK_LABELS } from './labels.ts'

const MINUTES_PER_HOUR = 60
/** Minutes of opening as people say them. */
const formatOpeningMinutes = (minutes: number | null) => {
  if (minutes === null) return '–'
  return minutes < MINUTES_PER_HOUR ? `${minutes}\u00a0min` : `${formatNumber(minutes / MINUTES_PER_HOUR, 1)}\u00a0h`
}
const formatKeptShare = ({ kept, of }: SupportMonthFigures['promise']) => (of ? formatPercent(kept / of, 0) : '–')
const formatMeanScore = ({ sum, of }: SupportMonthFigures['score']) => (of ? `${formatNumber(sum / of, 1)} sur 5` : '–')

type Row = SupportMonthFigures & { id: string }
const columns: Column<Row>[] = [
  { header: 'Mois', card: 'title', cell: (row) => formatMonth(`${row.month}-15T12:00:00Z`) },
  { header: 'Reçues', align: 'end', card: 'primary', cell: (row) => formatNumber(row.opened) },
  { header: 'Résolues', align: 'end', card: 'primary', cell: (row) => formatNumber(row.solved) },
  { header: 'Première réponse', align: 'end', card: 'primary', cell: (row) => formatOpeningMinutes(row.firstAnswer) },
  { header: 'Résolution', align: 'end', card: 'primary', cell: (row) => formatOpeningMinutes(row.solving) },
  { header: 'Délais tenus', align: 'end', card: 'primary', cell: (row) => formatKeptShare(row.promise) },
  { header: 'Satisfaction', align: 'end', card: 'primary', cell: (row) => formatMeanScore(row.score) },
]

function DeskFigures({ desk }: { desk: SupportTeam }) {
  const { data, error, refetch } = useQuery(query(supportDesk.figures, { query: { desk, months: 6 } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const last = data.items.at(-1)
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        <KpiTile
          label="À traiter"
          figure={formatNumber(data.open)}
          note={`dont ${formatNumber(data.unassigned)} sans personne`}
        />
        <KpiTile label="En retard" figure={formatNumber(data.late)} note="sur ce qui est promis" />
        <KpiTile
          label="Délais tenus ce mois"
          figure={last ? formatKeptShare(last.promise) : '–'}
          note="premières réponses et résolutions"
        />
        <KpiTile
          label="Satisfaction ce mois"
          figure={last ? formatMeanScore(last.score) : '–'}
          note={last?.score.of ? `${formatNumber(last.score.of)} avis` : 'aucun avis encore'}
        />
      </div>
      <Table
        label="Le support mois par mois"
        rows={data.items.toReversed().map((row) => ({ ...row, id: row.month }))}
        columns={columns}
      />
      <p className="text-[0.8125rem] text-ink-soft">
        Les durées sont des heures d’ouverture, la médiane du mois&nbsp;; le temps où le demandeur est attendu n’en est
        pas. Une demande réunie à une autre ne compte que comme reçue.
      </p>
    </div>
  )
}

/** How the service does, by month. */
export default function SupportFigures() {
  const isOperator = useCan()('support.keep')
  const [desk, setDesk] = useState<SupportTeam>('organiser')
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {isOperator && (
        <FilterChips
          label="Bureau"
          options={Object.entries(DESK_LABELS).map(([value, label]) => ({ value, label }))}
          value={desk}
          onChange={(value) => setDesk(value === 'keeper' ? 'keeper' : 'organiser')}
        />
      )}
      <DeskFigures desk={desk} />
    </div>
  )
}
