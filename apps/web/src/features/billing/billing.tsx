import { useQuery } from '@tanstack/react-query'
import { type Operation, operations } from '@voisol/contract/operations'
import { useId } from 'react'
import { useSearchParams } from 'react-router'
import { query } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Months } from './months.tsx'

const MOST = 100

/** One guided page: a month is checked, previewed, closed and issued. The operation and the month stand in the address. */
export default function Billing() {
  const [search, setSearch] = useSearchParams()
  const { data, error, refetch } = useQuery(query(operations.list, { query: { size: MOST, sort: 'name' } }))
  const asked = search.get('operation')
  const chosen =
    data?.items.find(({ id }) => id === asked) ??
    data?.items.find(({ status }) => status === 'active') ??
    data?.items[0]
  return (
    <>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-96 w-full" />}
      {data && !chosen && (
        <EmptyState
          title="Aucune opération"
          why={'Un mois est celui d’une opération\u00a0: il se facture une fois son énergie répartie.'}
          action={<ButtonLink to="/acc-operations/new">Nouvelle opération</ButtonLink>}
        />
      )}
      {data && chosen && (
        <div className="grid gap-6 [&>*]:min-w-0">
          {data.items.length > 1 && (
            <OperationSelect
              items={data.items}
              chosen={chosen.id}
              onChoose={(id) => setSearch({ operation: id }, { preventScrollReset: true })}
            />
          )}
          <Months key={chosen.id} operation={chosen} />
        </div>
      )}
    </>
  )
}

type SelectProps = { items: Operation[]; chosen: string; onChoose: (id: string) => void }

function OperationSelect({ items, chosen, onChoose }: SelectProps) {
  const id = useId()
  return (
    <div className="max-w-sm">
      <FieldFrame id={id} label="Opération">
        <Select
          id={id}
          value={chosen}
          onChange={({ target }) => onChoose(target.value)}
          options={items.map((each) => ({ value: each.id, label: each.name }))}
        />
      </FieldFrame>
    </div>
  )
}
