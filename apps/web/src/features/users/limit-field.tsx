import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { operations } from '@voisol/contract/operations'
import { useState } from 'react'
import { type FieldError, get } from 'react-hook-form'
import { only } from '../../lib/can.tsx'
import { plural } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import type { PlaceForm } from './role-field.tsx'

const SHOWN = 50
const MANY = 8

function OperationChoice({ chosen, onChange }: { chosen: string[]; onChange: (ids: string[]) => void }) {
  const [q, setQ] = useState('')
  const { data } = useQuery({
    ...query(operations.list, { query: { ...(q && { q }), size: SHOWN, sort: 'name' } }),
    placeholderData: keepPreviousData,
  })
  if (!data) return <Skeleton className="h-24 w-full" />
  return (
    <div className="grid gap-2">
      {(q || data.total > MANY) && <SearchBox label="Rechercher une opération" value={q} onSearch={setQ} />}
      <fieldset>
        <legend className="sr-only">Opérations auxquelles cette personne accède</legend>
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
          ? plural(chosen.length, 'opération choisie', 'opérations choisies')
          : 'Aucune opération choisie'}
        {data.total > SHOWN && `. Les ${SHOWN} premières sur ${data.total}\u00a0: précisez la recherche`}.
      </p>
    </div>
  )
}

/** Some operations rather than all of them. */
export const LimitField = only(operations.list, ({ form }: { form: PlaceForm }) => {
  const chosen = form.watch('operationIds')
  const problem: FieldError | undefined = get(form.formState.errors, 'operationIds')
  const change = (operationIds: string[] | null) =>
    form.setValue('operationIds', operationIds, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  return (
    <div className="grid gap-3 rounded-card border border-line bg-page p-4">
      <Switch
        label={<span className="font-medium">Limiter à certaines opérations</span>}
        hint="Les droits qui concernent toute l’organisation (utilisateurs, projets, accès au distributeur…) ne sont alors pas donnés."
        checked={Boolean(chosen)}
        onChange={({ target }) => change(target.checked ? [] : null)}
      />
      {chosen && <OperationChoice chosen={chosen} onChange={change} />}
      {problem && (
        <p role="alert" className="text-[0.8125rem] text-danger">
          {problem.message}
        </p>
      )}
    </div>
  )
})
