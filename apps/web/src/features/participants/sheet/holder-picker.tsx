import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { participants } from '@voisol/contract/participants'
import UserPlus from 'lucide-react/icons/user-plus'
import { useState } from 'react'
import { query } from '../../../lib/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import { SearchBox } from '../../../ui/search-box.tsx'

export type HolderChoice = { id: string; name: string }
type Props = {
  value: string
  /** Somebody just added, shown first. */
  first?: HolderChoice
  except: string
  error?: string
  onChange: (id: string) => void
  onNew: () => void
}
const MAX_SHOWN_HOLDERS = 6

/** A few people by name; typing narrows them down. */
export function HolderPicker({ value, first, except, error, onChange, onNew }: Props) {
  const [q, setQ] = useState('')
  const { data } = useQuery({
    ...query(participants.list, { query: { q: q || undefined, size: MAX_SHOWN_HOLDERS + 1, sort: 'name' } }),
    placeholderData: keepPreviousData,
  })
  const candidates = data?.items.filter(({ id }) => id !== except && id !== first?.id).slice(0, MAX_SHOWN_HOLDERS) ?? []
  const options = [
    ...(first ? [{ value: first.id, label: first.name }] : []),
    ...candidates.map(({ id, name, email, city }) => ({ value: id, label: name, hint: email || city })),
  ]
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <SearchBox label="Rechercher le nouveau titulaire" value={q} onSearch={setQ} className="min-w-56 flex-1" />
        <Button variant="secondary" icon={<UserPlus aria-hidden="true" />} onClick={onNew}>
          Nouveau participant
        </Button>
      </div>
      {data && options.length === 0 && (
        <p role="status" className="text-body text-ink-soft">
          Personne ne porte ce nom.
        </p>
      )}
      {options.length > 0 && (
        <RadioGroup
          label="Nouveau titulaire"
          options={options}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {error && <p className="text-[0.8125rem] text-danger">{error}</p>}
    </div>
  )
}
