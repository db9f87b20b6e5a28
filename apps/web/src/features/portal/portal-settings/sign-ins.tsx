import { useQuery } from '@tanstack/react-query'
import type { PortalPerson } from '@voisol/contract/portal-management'
import { type PortalAdoption as Counts, portalManagement } from '@voisol/contract/portal-management'
import { ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { formatCount, formatDateTime, formatPercent } from '../../../lib/format.ts'
import { query, useList } from '../../../lib/queries.ts'
import { LAST_VISIT_COLUMN, NAME_COLUMN, OPERATIONS_COLUMN, PortalOperationFilter } from './person-table.tsx'

const LAST_SIGN_IN_COLUMN: Column<PortalPerson> = {
  header: 'Dernière connexion',
  card: 'primary',
  sort: 'lastSignInAt',
  cell: ({ lastSignInAt }) => (lastSignInAt ? formatDateTime(lastSignInAt) : 'Jamais'),
}

/** Who came, and when. */
export default function SignIns() {
  const list = useList(portalManagement.people, { state: 'accepted' })
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <AdoptionCard />
      <ListScreen
        list={list}
        label="Connexions"
        search="Rechercher un nom ou une adresse"
        columns={[NAME_COLUMN, OPERATIONS_COLUMN, LAST_SIGN_IN_COLUMN, LAST_VISIT_COLUMN]}
        filters={
          <PortalOperationFilter
            value={list.filters.operationId}
            onChange={(operationId) => list.setFilters({ operationId })}
          />
        }
        empty={
          <EmptyState
            title="Personne n’a encore de compte"
            why="Qui accepte son invitation apparaît ici, avec ses dernières visites."
            action={
              <ButtonLink variant="secondary" to="/client-portal-management?tab=invitations">
                Voir les invitations
              </ButtonLink>
            }
          />
        }
      />
    </div>
  )
}

const formatRecentShare = ({ recent, participants }: Counts) =>
  participants ? formatPercent(recent / participants, 0) : '–'

type Row = Counts & { id: string; operationName: string }
const buildCountColumn = (header: string, read: (row: Row) => number): Column<Row> => ({
  header,
  card: 'primary',
  align: 'end',
  cell: read,
})
const columns: Column<Row>[] = [
  { header: 'Opération', card: 'title', cell: ({ operationName }) => operationName },
  buildCountColumn('Participants', ({ participants }) => participants),
  buildCountColumn('Invités', ({ invited }) => invited),
  buildCountColumn('Avec un compte', ({ accounts }) => accounts),
  buildCountColumn('Venus depuis 30 jours', ({ recent }) => recent),
  { header: 'Part qui vient', card: 'primary', align: 'end', cell: formatRecentShare },
]

function describeAdoption(total: Counts): string {
  const { participants, recent } = total
  if (participants === 0) return 'Aucun participant pour l’instant.'
  if (recent === 0) return `Aucun des ${formatCount(participants, 'participant')} n’est venu depuis trente jours.`
  const visitorsText = formatCount(recent, 'participant est venu', 'participants sont venus')
  return `${visitorsText} depuis trente jours, sur ${participants}\u00a0: ${formatRecentShare(total)}.`
}

/** How many come, by operation. */
function AdoptionCard() {
  const { data, error, refetch } = useQuery(query(portalManagement.adoption, {}))
  return (
    <Card title="Adoption par opération" description={data && describeAdoption(data.total)}>
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
