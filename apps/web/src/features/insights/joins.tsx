import { useQuery } from '@tanstack/react-query'
import type { Joins as Ranking } from '@voisol/contract/insight-views'
import { insights } from '@voisol/contract/insights'
import { energy, kwh, money } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { OperationChoice } from '../../ui/operation-choice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { daysWords } from './days.ts'

type Row = Ranking['items'][number] & { id: string }
const KINDS = { candidate: 'Candidat', measured: 'Candidat, courbe mesurée', profile: 'Profil type' }
const euros = (cents: number | null) => (cents === null ? '–' : money(cents))

const COLUMNS: Column<Row>[] = [
  {
    header: 'Qui',
    card: 'title',
    cell: ({ name, project }) => (
      <span className="block min-w-40">
        <span className="block font-medium">{name}</span>
        {project && <span className="text-[0.8125rem] text-ink-soft">{project}</span>}
      </span>
    ),
  },
  {
    header: 'Sorte',
    card: 'secondary',
    cell: ({ kind }) => <Badge tone={kind === 'profile' ? 'neutral' : 'info'}>{KINDS[kind]}</Badge>,
  },
  { header: 'Par an', align: 'end', cell: ({ yearlyKwh }) => kwh(yearlyKwh, 0) },
  { header: 'Utilisé en plus', card: 'primary', align: 'end', cell: ({ more }) => energy(more) },
  { header: 'Reçu', align: 'end', cell: ({ received }) => energy(received) },
  { header: 'En moins pour les membres', align: 'end', cell: ({ dilution }) => energy(dilution) },
  { header: 'Gain de l’opération', card: 'primary', align: 'end', cell: ({ community }) => euros(community) },
  { header: 'Économie du candidat', card: 'primary', align: 'end', cell: ({ saving }) => euros(saving) },
]

function OfOperation({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(query(insights.joins, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const { items, from, to, surplus, notes } = data
  return (
    <Card
      title="Qui devrait rejoindre&nbsp;?"
      description={`${energy(surplus)} n’ont été consommés par personne de l’opération ${daysWords({ from, to })}. Classement sous la clé en vigueur.`}
    >
      <div className="grid gap-4 [&>*]:min-w-0">
        <ul className="grid gap-1 text-body text-ink-soft">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
        <Table
          label="Qui devrait rejoindre"
          rows={items.map((item, at) => ({ ...item, id: String(at) }))}
          columns={COLUMNS}
        />
      </div>
    </Card>
  )
}

/** The projects' candidates and the profiles, by what they would use of the surplus. */
export default function Joins() {
  return <OperationChoice why="On rejoint une opération.">{({ id }) => <OfOperation id={id} />}</OperationChoice>
}
