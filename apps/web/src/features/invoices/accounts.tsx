import { useQuery } from '@tanstack/react-query'
import type { Account } from '@voisol/contract/invoice-views'
import { invoices } from '@voisol/contract/invoices'
import { useSearchParams } from 'react-router'
import { formatCount, formatDate, formatMoney } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { emptyCell } from '../../ui/table-head.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { BuyerAccountView } from './account.tsx'

type AccountRow = Account & { id: string }

const columns: Column<AccountRow>[] = [
  {
    header: 'Acheteur',
    card: 'title',
    cell: ({ id, buyer }) => (
      <Link to={`/participant-billing?participant=${id}`} className="font-medium text-link">
        {buyer.name}
      </Link>
    ),
  },
  { header: 'Documents', card: 'secondary', align: 'end', cell: ({ documents }) => formatCount(documents, 'document') },
  { header: 'Dernière émission', card: 'none', cell: ({ lastOn }) => formatDate(lastOn) },
  { header: 'Reste dû', card: 'primary', align: 'end', cell: ({ open }) => (open ? formatMoney(open) : emptyCell) },
  {
    header: 'En retard',
    card: 'primary',
    align: 'end',
    cell: ({ overdue }) =>
      overdue ? <span className="font-medium text-danger">{formatMoney(overdue)}</span> : emptyCell,
  },
  { header: 'Crédit', card: 'primary', align: 'end', cell: ({ credit }) => (credit ? formatMoney(credit) : emptyCell) },
]

function AccountTable({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const { data, error, refetch } = useQuery(query(invoices.accounts, { query: q ? { q } : {} }))
  const rows = data?.items.map((account) => ({ ...account, id: account.buyer.id }))
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <SearchBox label="Rechercher un acheteur" value={q} onSearch={onSearch} className="w-full sm:w-80" />
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !rows ? (
        <TableSkeleton label="Comptes des acheteurs" />
      ) : rows.length > 0 ? (
        <Table label="Comptes des acheteurs" rows={rows} columns={columns} />
      ) : (
        <EmptyState
          title={q ? 'Aucun résultat' : 'Aucun compte'}
          why={q ? 'Aucun acheteur ne porte ce nom.' : 'Un acheteur a un compte dès son premier document émis.'}
          action={
            q ? (
              <Button variant="secondary" onClick={() => onSearch('')}>
                Effacer la recherche
              </Button>
            ) : (
              <ButtonLink variant="secondary" to="/billing">
                Ouvrir la clôture du mois
              </ButtonLink>
            )
          }
        />
      )}
    </div>
  )
}

/** Everybody who was invoiced, and what each of them owes; one of them where the address names one. */
export default function BuyerAccounts() {
  const [search, setSearch] = useSearchParams()
  const participant = search.get('participant')
  if (participant) return <BuyerAccountView buyerId={participant} />
  const onSearch = (q: string) => setSearch(q ? { q } : {}, { replace: true })
  return (
    <>
      <PageHeader
        title="Comptes des acheteurs"
        description="Ce que chacun doit, ceux qui ont du retard d’abord."
        actions={
          <ButtonLink to="/invoices" variant="secondary">
            Voir les factures
          </ButtonLink>
        }
      />
      <AccountTable q={search.get('q') ?? ''} onSearch={onSearch} />
    </>
  )
}
