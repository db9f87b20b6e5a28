import { useQuery } from '@tanstack/react-query'
import type { GridTariffs as Answer } from '@voisol/contract/insight-views'
import { insights } from '@voisol/contract/insights'
import { ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { OperationSelector } from '../../../components/operation-choice.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { formatCount, formatMoney, formatNumber } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { formatInsightDays } from './insight-days.ts'

type Row = Answer['items'][number] & { id: string }

const COLUMNS: Column<Row>[] = [
  {
    header: 'Consommateur',
    card: 'title',
    cell: ({ name }) => <span className="block min-w-40 font-medium">{name}</span>,
  },
  { header: 'Puissance', card: 'secondary', align: 'end', cell: ({ kva }) => `${formatNumber(kva, 0)}\u00a0kVA` },
  { header: 'Connu', align: 'end', cell: ({ days }) => formatCount(days, 'jour') },
  { header: 'Formule la moins chère', card: 'primary', cell: ({ options }) => options[0]?.name ?? '–' },
  { header: 'Par an HT', card: 'primary', align: 'end', cell: ({ options }) => formatMoney(options[0]?.cents ?? 0) },
  {
    header: 'Gain de l’autoproduction collective',
    card: 'primary',
    align: 'end',
    cell: ({ saved }) => <span className={saved > 0 ? 'font-medium text-success' : ''}>{formatMoney(saved)}</span>,
  },
]

const OPTION_COLUMNS: Column<Answer['items'][number]['options'][number] & { id: string }>[] = [
  { header: 'Formule', card: 'title', cell: ({ name }) => name },
  { header: 'Par an HT', card: 'primary', align: 'end', cell: ({ cents }) => formatMoney(cents) },
]

function OperationGridTariffs({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(query(insights.gridTariffs, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const { items, from, to, source, notes } = data
  return (
    <Card
      title="La formule d’acheminement de chacun"
      description={`${source}. Courbe de chacun ${formatInsightDays({ from, to })}, ramenée à un an.`}
    >
      <div className="grid gap-4 [&>*]:min-w-0">
        <ul className="grid gap-1 text-body text-ink-soft">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
        {items.length === 0 ? (
          <EmptyState
            title="Aucune comparaison"
            why="Il faut des consommateurs dont la puissance souscrite est connue, 36 kVA au plus, et dont les relevés sont là."
            action={
              <ButtonLink variant="secondary" to="/participants">
                Voir les participants
              </ButtonLink>
            }
          />
        ) : (
          <Table
            label="Formules d’acheminement"
            rows={items.map((item) => ({ ...item, id: item.pointId }))}
            columns={COLUMNS}
            detail={{
              label: ({ name }) => `Toutes les formules de ${name}`,
              content: ({ name, options }) => (
                <Table
                  label={`Formules de ${name}`}
                  rows={options.map((option) => ({ ...option, id: option.name }))}
                  columns={OPTION_COLUMNS}
                />
              ),
            }}
          />
        )}
      </div>
    </Card>
  )
}

/** What each formula of the grid would cost each consumer, from its own curve. */
export default function GridTariffs() {
  return (
    <OperationSelector why="Les consommateurs se choisissent dans une opération&nbsp;: créez-en une d’abord.">
      {({ id }) => <OperationGridTariffs id={id} />}
    </OperationSelector>
  )
}
