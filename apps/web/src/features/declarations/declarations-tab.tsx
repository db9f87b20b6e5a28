import { useQuery } from '@tanstack/react-query'
import type { BookEntity } from '@voisol/contract/book-views'
import { books } from '@voisol/contract/books'
import { query } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AcciseSummary } from './accise.tsx'
import { useDeclarationChoice } from './choice.ts'
import { EReporting } from './e-reporting.tsx'
import { PreparedDeclarations } from './made.tsx'
import { VatSummary } from './vat.tsx'
import { AnnualStatements } from './years.tsx'

function Declarations({ sellers }: { sellers: BookEntity[] }) {
  const { seller, years, year, choose } = useDeclarationChoice(sellers)
  if (!seller)
    return (
      <EmptyState
        title="Aucun vendeur"
        why={'Ce qui se déclare naît des factures\u00a0: il n’y en a pas encore.'}
        action={<ButtonLink to="/advanced-billing?tab=sellers">Ajouter un vendeur</ButtonLink>}
      />
    )
  const selection = { sellerId: seller.id, year }
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <div className="flex flex-wrap gap-3">
        <Select
          aria-label="Vendeur"
          className="sm:w-72"
          value={seller.id}
          options={sellers.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={({ target }) => choose('entite', target.value)}
        />
        <Select
          aria-label="Année"
          className="sm:w-32"
          value={String(year)}
          options={years.map((one) => ({ value: String(one), label: String(one) }))}
          onChange={({ target }) => choose('annee', target.value)}
        />
      </div>
      <VatSummary {...selection} />
      <div className="grid items-start gap-6 xl:grid-cols-2 [&>*]:min-w-0">
        <AcciseSummary {...selection} />
        <EReporting {...selection} />
      </div>
      <AnnualStatements {...selection} seller={seller.name} />
      <PreparedDeclarations year={year} />
    </div>
  )
}

/** What is declared of a year: summaries of what was issued, and every file that was made of them. */
export default function DeclarationsTab() {
  const { data, error, refetch } = useQuery(query(books.list, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return <Declarations sellers={data.items} />
}
