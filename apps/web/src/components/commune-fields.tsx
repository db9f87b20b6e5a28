import { useQuery } from '@tanstack/react-query'
import { communes } from '@voisol/contract/communes'
import { useDeferredValue, useEffect, useRef } from 'react'
import { type FieldPath, type FieldValues, type PathValue, type UseFormReturn, useWatch } from 'react-hook-form'
import {
  buildCommuneSuggestions,
  type CommuneSuggestion,
  findCommuneWithoutCentre,
  findOnlyCity,
  getCommuneSearchText,
} from '../lib/commune-choice.ts'
import { query } from '../lib/queries.ts'
import { Field } from './field.tsx'

type CommuneFieldsProps<V extends FieldValues, C, O> = {
  form: Pick<UseFormReturn<V, C, O>, 'register' | 'formState' | 'control' | 'setValue'>
  postalCode: FieldPath<V>
  city: FieldPath<V>
}

const toText = (value: unknown) => (typeof value === 'string' ? value : '')

/** What the table of communes says of what is typed; nothing leaves the product. */
function useCommunes(typed: { postalCode: string; city: string }) {
  const searchText = useDeferredValue(getCommuneSearchText(typed))
  const { data } = useQuery({
    ...query(communes.search, { query: { q: searchText ?? '' } }),
    enabled: searchText !== null,
  })
  return searchText === getCommuneSearchText(typed) && data ? data.items : []
}

/** A postal code and a commune that complete each other. */
export function CommuneFields<V extends FieldValues, C, O>({ form, postalCode, city }: CommuneFieldsProps<V, C, O>) {
  const [code, name] = useWatch({ control: form.control, name: [postalCode, city] }).map(toText)
  const typed = { postalCode: code ?? '', city: name ?? '' }
  const found = useCommunes(typed)
  const write = (field: FieldPath<V>, value: string) =>
    form.setValue(field, value as PathValue<V, FieldPath<V>>, { shouldDirty: true, shouldValidate: false }) // both are texts
  const filled = useRef(typed.postalCode)
  const onlyCity = findOnlyCity(found, typed)
  const communeWithoutCentre = findCommuneWithoutCentre(found, typed)
  useEffect(() => {
    // Once for each code: who empties the field again means it.
    if (onlyCity === null || filled.current === typed.postalCode) return
    filled.current = typed.postalCode
    write(city, onlyCity)
  })
  const choose = ({ postalCode: chosenCode, city: chosen }: CommuneSuggestion) => {
    write(city, chosen)
    if (chosenCode) {
      filled.current = chosenCode
      write(postalCode, chosenCode)
    }
  }
  return (
    <div className="grid gap-2">
      <div className="grid gap-4 sm:grid-cols-[10rem_minmax(0,1fr)]">
        <Field form={form} name={postalCode} label="Code postal" inputMode="numeric" autoComplete="off" optional />
        <Field form={form} name={city} label="Commune" autoComplete="off" optional />
      </div>
      <CommuneSuggestions proposals={buildCommuneSuggestions(found, typed)} onChoose={choose} />
      {communeWithoutCentre && (
        <p role="status" className="text-[0.8125rem] text-ink-soft">
          Le centre de cette commune ({communeWithoutCentre}) n’est pas connu&nbsp;: sans coordonnées, rien n’est placé
          sur la carte.
        </p>
      )}
    </div>
  )
}

const chipClass =
  'min-h-8 rounded-full border border-line-strong bg-card px-3 text-[0.8125rem] hover:border-control hover:bg-page'

const CommuneSuggestions = ({
  proposals,
  onChoose,
}: {
  proposals: CommuneSuggestion[]
  onChoose: (one: CommuneSuggestion) => void
}) =>
  proposals.length > 0 && (
    <div role="status" className="grid gap-1.5">
      <p className="text-[0.8125rem] text-ink-soft">
        {proposals.length > 1 ? 'Quelle commune\u00a0?' : 'Commune proposée\u00a0:'}
      </p>
      <ul aria-label="Communes proposées" className="flex flex-wrap gap-2">
        {proposals.map((one) => (
          <li key={one.key}>
            <button type="button" className={chipClass} onClick={() => onChoose(one)}>
              {one.label}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
