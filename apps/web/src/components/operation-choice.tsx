import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Operation, operations } from '@voisol/contract/operations'
import { type ReactNode, useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { formatCount } from '../lib/format.ts'
import { query } from '../lib/queries.ts'
import { ButtonLink } from './button.tsx'
import { Checkbox } from './checkbox.tsx'
import { EmptyState } from './empty-state.tsx'
import { ErrorState } from './error-state.tsx'
import { SearchBox } from './filter-bar.tsx'
import { FieldFrame, Select } from './input.tsx'
import { Skeleton } from './loading.tsx'

const MAX_LISTED_OPERATIONS = 100
type ChosenOperation = Pick<Operation, 'id' | 'name' | 'startsOn'>

/** What is an operation's: which one stands in the address, so that a link leads to it. */
export function OperationSelector({
  why,
  children,
}: {
  why: string
  children: (operation: ChosenOperation) => ReactNode
}) {
  const id = useId()
  const [search, setSearch] = useSearchParams()
  const { data, error, refetch } = useQuery(
    query(operations.list, { query: { size: MAX_LISTED_OPERATIONS, sort: 'name' } }),
  )
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const [asked, tab] = [search.get('operation'), search.get('tab')]
  const chosen =
    data.items.find((each) => each.id === asked) ??
    data.items.find(({ status }) => status === 'active') ??
    data.items[0]
  if (!chosen)
    return (
      <EmptyState
        title="Aucune opération"
        why={why}
        action={<ButtonLink to="/acc-operations/new">Nouvelle opération</ButtonLink>}
      />
    )
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {data.items.length > 1 && (
        <div className="max-w-sm">
          <FieldFrame id={id} label="Opération">
            <Select
              id={id}
              value={chosen.id}
              onChange={({ target }) =>
                setSearch({ ...(tab && { tab }), operation: target.value }, { preventScrollReset: true })
              }
              options={data.items.map((each) => ({ value: each.id, label: each.name }))}
            />
          </FieldFrame>
        </div>
      )}
      <div key={chosen.id} className="contents">
        {children(chosen)}
      </div>
    </div>
  )
}

const MAX_SHOWN_OPERATIONS = 50
const MIN_OPERATIONS_FOR_SEARCH = 8

type Props = { legend: string; chosen: string[]; onChange: (ids: string[]) => void }

/** Some operations of the company, ticked. */
export function OperationCheckboxes({ legend, chosen, onChange }: Props) {
  const [q, setQ] = useState('')
  const { data } = useQuery({
    ...query(operations.list, { query: { ...(q && { q }), size: MAX_SHOWN_OPERATIONS, sort: 'name' } }),
    placeholderData: keepPreviousData,
  })
  if (!data) return <Skeleton className="h-24 w-full" />
  return (
    <div className="grid gap-2">
      {(q || data.total > MIN_OPERATIONS_FOR_SEARCH) && (
        <SearchBox label="Rechercher une opération" value={q} onSearch={setQ} />
      )}
      <fieldset>
        <legend className="sr-only">{legend}</legend>
        <div className="grid max-h-56 gap-3 overflow-y-auto rounded-control border border-line bg-card p-3">
          {data.items.map(({ id, name, city }) => (
            <Checkbox
              key={id}
              label={
                <>
                  {name} {city && <span className="text-ink-soft">· {city}</span>}
                </>
              }
              checked={chosen.includes(id)}
              onChange={({ target }) => onChange(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
            />
          ))}
          {data.items.length === 0 && <p className="text-body text-ink-soft">Aucune opération ne porte ce nom.</p>}
        </div>
      </fieldset>
      <p className="text-[0.8125rem] text-ink-soft">
        {chosen.length > 0
          ? formatCount(chosen.length, 'opération choisie', 'opérations choisies')
          : 'Aucune opération choisie'}
        {data.total > MAX_SHOWN_OPERATIONS &&
          `. Les ${MAX_SHOWN_OPERATIONS} premières sur ${data.total}\u00a0: précisez la recherche`}
        .
      </p>
    </div>
  )
}
