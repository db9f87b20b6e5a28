import { useQuery } from '@tanstack/react-query'
import { bank } from '@voisol/contract/bank'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { useCan } from '../../lib/can.tsx'
import { query, useList } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BankLines } from './lines.tsx'

const ImportStatement = lazy(() => import('./import.tsx'))
const Statements = lazy(() => import('./statements.tsx'))

const LINE_STATE_OPTIONS = [
  { value: 'open', label: 'À rapprocher' },
  { value: 'posted', label: 'Rapprochés' },
  { value: 'ignored', label: 'Laissés' },
]

/** The movements of the bank and what they pay: what is certain is done, the rest is decided here, by keyboard. */
export default function BankPage() {
  const accounts = useQuery(query(bank.accounts, {}))
  const [search] = useSearchParams()
  // What waits comes first: it is what one is here for.
  const list = useList(bank.lines, search.has('state') ? {} : { state: 'open' })
  const can = useCan()
  if (accounts.error) return <ErrorState error={accounts.error} onRetry={accounts.refetch} />
  if (!accounts.data) return <Skeleton className="h-96 w-full" />
  const own = accounts.data.items.filter(({ kind }) => kind === 'bank')
  if (!own.length)
    return (
      <EmptyState
        title="Aucun compte bancaire"
        why="Les relevés se rattachent à un compte&#160;: enregistrez d’abord celui sur lequel vos factures sont payées."
        action={<ButtonLink to="/advanced-billing?tab=comptes">Comptes bancaires</ButtonLink>}
      />
    )
  const { accountId, state = 'open', q, page, size } = list.filters
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      {can(bank.import) && (
        <Suspense fallback={<Skeleton className="h-20 w-full" />}>
          <ImportStatement accounts={own} />
        </Suspense>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <SearchBox
          label="Libellé, nom, référence"
          value={q ?? ''}
          onSearch={(text) => list.setFilters({ q: text })}
          className="w-full sm:w-64"
        />
        {own.length > 1 && (
          <Select
            aria-label="Compte"
            className="sm:w-56"
            value={accountId ?? ''}
            options={[
              { value: '', label: 'Tous les comptes' },
              ...own.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(event) => list.setFilters({ accountId: event.target.value })}
          />
        )}
        <FilterChips
          label="État"
          options={LINE_STATE_OPTIONS}
          value={state}
          onChange={(next) => list.setFilters({ state: next })}
        />
      </div>
      {list.error ? (
        <ErrorState error={list.error} onRetry={list.refetch} />
      ) : list.isPending ? (
        <Skeleton className="h-96 w-full" />
      ) : list.items.length === 0 ? (
        <EmptyState
          title={state === 'open' ? 'Tout est rapproché' : 'Aucun mouvement'}
          why={
            state === 'open'
              ? 'Chaque mouvement de la banque a payé quelque chose, ou a été laissé avec sa raison.'
              : 'Déposez un relevé camt.053 de votre banque, ou un tableau CSV\u00a0: ce qui est certain est rapproché tout seul.'
          }
          because={state === 'open' ? 'all-well' : 'chosen-here'}
        />
      ) : (
        <BankLines lines={list.items} />
      )}
      {list.total > size && (
        <Pagination
          label="Mouvements"
          page={page}
          size={size}
          total={list.total}
          onPage={(next) => list.setFilters({ page: next })}
        />
      )}
      <Suspense fallback={null}>
        <Statements accounts={own} />
      </Suspense>
    </div>
  )
}
