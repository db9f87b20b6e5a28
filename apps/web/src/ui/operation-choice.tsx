import { useQuery } from '@tanstack/react-query'
import { type Operation, operations } from '@voisol/contract/operations'
import { type ReactNode, useId } from 'react'
import { useSearchParams } from 'react-router'
import { query } from '../lib/queries.ts'
import { ButtonLink } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { ErrorState } from './error-state.tsx'
import { FieldFrame } from './field-frame.tsx'
import { Select } from './select.tsx'
import { Skeleton } from './skeleton.tsx'

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
