import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { operations } from '@voisol/contract/operations'
import { useState } from 'react'
import { formatCount } from '../lib/format.ts'
import { query } from '../lib/queries.ts'
import { Checkbox } from './checkbox.tsx'
import { SearchBox } from './search-box.tsx'
import { Skeleton } from './skeleton.tsx'

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
