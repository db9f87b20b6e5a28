import { useQuery } from '@tanstack/react-query'
import { type MonthFigures, supportDesk } from '@voisol/contract/support-desk'
import type { Desk } from '@voisol/contract/support-words'
import { useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { month, number, percent } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Tile } from '../../ui/tile.tsx'
import { DESKS } from './words.ts'

const HOUR = 60
/** Minutes of opening as people say them. */
export const duration = (minutes: number | null) => {
  if (minutes === null) return '–'
  return minutes < HOUR ? `${minutes}\u00a0min` : `${number(minutes / HOUR, 1)}\u00a0h`
}
const share = ({ kept, of }: MonthFigures['promise']) => (of ? percent(kept / of, 0) : '–')
const mean = ({ sum, of }: MonthFigures['score']) => (of ? `${number(sum / of, 1)} sur 5` : '–')

type Row = MonthFigures & { id: string }
const columns: Column<Row>[] = [
  { header: 'Mois', card: 'title', cell: (row) => month(`${row.month}-15T12:00:00Z`) },
  { header: 'Reçues', align: 'end', card: 'primary', cell: (row) => number(row.opened) },
  { header: 'Résolues', align: 'end', card: 'primary', cell: (row) => number(row.solved) },
  { header: 'Première réponse', align: 'end', card: 'primary', cell: (row) => duration(row.firstAnswer) },
  { header: 'Résolution', align: 'end', card: 'primary', cell: (row) => duration(row.solving) },
  { header: 'Délais tenus', align: 'end', card: 'primary', cell: (row) => share(row.promise) },
  { header: 'Satisfaction', align: 'end', card: 'primary', cell: (row) => mean(row.score) },
]

function Shown({ desk }: { desk: Desk }) {
  const { data, error, refetch } = useQuery(query(supportDesk.figures, { query: { desk, months: 6 } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const last = data.items.at(-1)
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        <Tile label="À traiter" figure={number(data.open)} note={`dont ${number(data.unassigned)} sans personne`} />
        <Tile label="En retard" figure={number(data.late)} note="sur ce qui est promis" />
        <Tile
          label="Délais tenus ce mois"
          figure={last ? share(last.promise) : '–'}
          note="premières réponses et résolutions"
        />
        <Tile
          label="Satisfaction ce mois"
          figure={last ? mean(last.score) : '–'}
          note={last?.score.of ? `${number(last.score.of)} avis` : 'aucun avis encore'}
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
export default function Figures() {
  const keeps = useCan()('support.keep')
  const [desk, setDesk] = useState<Desk>('organiser')
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {keeps && (
        <FilterChips
          label="Bureau"
          options={Object.entries(DESKS).map(([value, label]) => ({ value, label }))}
          value={desk}
          onChange={(value) => setDesk(value === 'keeper' ? 'keeper' : 'organiser')}
        />
      )}
      <Shown desk={desk} />
    </div>
  )
}
