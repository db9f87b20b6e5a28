import { useQuery } from '@tanstack/react-query'
import type { JoinCandidates as Ranking } from '@voisol/contract/insight-views'
import { insights } from '@voisol/contract/insights'
import { Badge } from '../../../components/badge.tsx'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { OperationSelector } from '../../../components/operation-choice.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { formatEnergy, formatKwh, formatMoney } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { formatInsightDays } from './insight-days.ts'

type Row = Ranking['items'][number] & { id: string }
const KIND_LABELS = { candidate: 'Candidat', measured: 'Candidat, courbe mesurée', profile: 'Profil type' }
const formatCents = (cents: number | null) => (cents === null ? '–' : formatMoney(cents))

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
    cell: ({ kind }) => <Badge tone={kind === 'profile' ? 'neutral' : 'info'}>{KIND_LABELS[kind]}</Badge>,
  },
  { header: 'Par an', align: 'end', cell: ({ yearlyKwh }) => formatKwh(yearlyKwh, 0) },
  { header: 'Utilisé en plus', card: 'primary', align: 'end', cell: ({ more }) => formatEnergy(more) },
  { header: 'Reçu', align: 'end', cell: ({ received }) => formatEnergy(received) },
  { header: 'En moins pour les membres', align: 'end', cell: ({ dilution }) => formatEnergy(dilution) },
  { header: 'Gain de l’opération', card: 'primary', align: 'end', cell: ({ community }) => formatCents(community) },
  { header: 'Économie du candidat', card: 'primary', align: 'end', cell: ({ saving }) => formatCents(saving) },
]

function OperationJoinRanking({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(query(insights.joins, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const { items, from, to, surplus, notes } = data
  return (
    <Card
      title="Qui devrait rejoindre&nbsp;?"
      description={`${formatEnergy(surplus)} n’ont été consommés par personne de l’opération ${formatInsightDays({ from, to })}. Classement sous la clé en vigueur.`}
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
export default function JoinRanking() {
  return (
    <OperationSelector why="On rejoint une opération.">
      {({ id }) => <OperationJoinRanking id={id} />}
    </OperationSelector>
  )
}
