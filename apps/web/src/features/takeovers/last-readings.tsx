import { useQuery } from '@tanstack/react-query'
import { type LastReading, takeovers } from '@voisol/contract/takeovers'
import { getMeterSideLabel } from '../../lib/energy-labels.ts'
import { formatCount, formatDate } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { getMeterName } from '../../ui/gap-words.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'

const STATE_TONES: Record<LastReading['state'], Tone> = { none: 'danger', gap: 'warning', whole: 'success' }
const describeState = ({ state, missing }: LastReading) =>
  state === 'none'
    ? 'Aucun relevé'
    : state === 'gap'
      ? `${formatCount(missing, 'jour manque', 'jours manquent')}`
      : 'Complet'

const columns: Column<LastReading>[] = [
  {
    header: 'Compteur',
    card: 'title',
    cell: ({ label, holder, prm, direction, storage }) => (
      <span className="block min-w-40">
        <span className="block font-medium">{getMeterName({ label, holder })}</span>
        <span className="tabular block text-[0.8125rem] text-ink-soft">
          {`PRM ${prm}, ${getMeterSideLabel({ direction, storage }).toLowerCase()}`}
        </span>
      </span>
    ),
  },
  { header: 'Premier relevé', card: 'primary', cell: ({ from }) => (from ? formatDate(from) : '–') },
  { header: 'Dernier relevé', card: 'primary', cell: ({ until }) => (until ? formatDate(until) : '–') },
  {
    header: 'Depuis la reprise',
    card: 'primary',
    cell: (row) => <Badge tone={STATE_TONES[row.state]}>{describeState(row)}</Badge>,
  },
]

/** How far each meter is known: what is billed here begins where the other tool stopped. */
export function LastReadings({ operationId }: { operationId: string }) {
  const { data, error, refetch } = useQuery(query(takeovers.readings, { query: { operationId } }))
  return (
    <Card
      title="Derniers relevés"
      description={
        data?.billedUntil
          ? `Facturé ailleurs jusqu’au ${formatDate(data.billedUntil)}, jour non compris\u00a0: chaque compteur doit être connu à partir de ce jour.`
          : 'Jusqu’où les relevés de chaque compteur sont connus. Reprenez les factures passées pour savoir d’où la facturation continue.'
      }
    >
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <TableSkeleton label="Derniers relevés" />}
      {data &&
        (data.items.length > 0 ? (
          <Table label="Derniers relevés" rows={data.items} columns={columns} />
        ) : (
          <p className="text-body text-ink-soft">Aucun compteur ne participe à cette opération.</p>
        ))}
    </Card>
  )
}
