import { useQuery } from '@tanstack/react-query'
import { type Adoption as Counts, portalManagement } from '@voisol/contract/portal-management'
import { percent, plural } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'

const share = ({ recent, participants }: Counts) => (participants ? percent(recent / participants, 0) : '–')

type Row = Counts & { id: string; operationName: string }
const count = (header: string, read: (row: Row) => number): Column<Row> => ({
  header,
  card: 'primary',
  align: 'end',
  cell: read,
})
const columns: Column<Row>[] = [
  { header: 'Opération', card: 'title', cell: ({ operationName }) => operationName },
  count('Participants', ({ participants }) => participants),
  count('Invités', ({ invited }) => invited),
  count('Avec un compte', ({ accounts }) => accounts),
  count('Venus depuis 30 jours', ({ recent }) => recent),
  { header: 'Part qui vient', card: 'primary', align: 'end', cell: share },
]

function sentence(total: Counts): string {
  const { participants, recent } = total
  if (participants === 0) return 'Aucun participant pour l’instant.'
  if (recent === 0) return `Aucun des ${plural(participants, 'participant')} n’est venu depuis trente jours.`
  const came = plural(recent, 'participant est venu', 'participants sont venus')
  return `${came} depuis trente jours, sur ${participants}\u00a0: ${share(total)}.`
}

/** How many come, by operation. */
export function Adoption() {
  const { data, error, refetch } = useQuery(query(portalManagement.adoption, {}))
  return (
    <Card title="Adoption par opération" description={data && sentence(data.total)}>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-40 w-full" />}
      {data && data.items.length > 0 && (
        <Table
          label="Adoption par opération"
          rows={data.items.map((row) => ({ ...row, id: row.operationId }))}
          columns={columns}
        />
      )}
    </Card>
  )
}
