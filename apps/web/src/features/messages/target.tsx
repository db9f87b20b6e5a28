import { useQuery } from '@tanstack/react-query'
import type { MessageAudience } from '@voisol/contract/messages'
import { operations } from '@voisol/contract/operations'
import { participants } from '@voisol/contract/participants'
import { useState } from 'react'
import { plural } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Select } from '../../ui/select.tsx'
import { AUDIENCES } from './words.ts'

export type Choice = { audience: MessageAudience; value: string }
type Props = { choice: Choice; error: string | undefined; onChange: (choice: Choice) => void }

const audiences = (['operation', 'group', 'person'] as const).map((value) => ({ value, label: AUDIENCES[value] }))
const NAMES: Record<MessageAudience, string> = { operation: 'Opération', group: 'Groupe', person: 'Participant' }
const FIRST = { value: '', label: 'Choisir…' }

/** What may be chosen; a group is those who bear the same tag. */
function useOptions(audience: MessageAudience, q: string) {
  const all = useQuery({
    ...query(operations.list, { query: { size: 100, sort: 'name' } }),
    enabled: audience === 'operation',
  })
  const tags = useQuery({ ...query(participants.tags, {}), enabled: audience === 'group' })
  const search = { size: 50, ...(q && { q }) }
  const people = useQuery({ ...query(participants.list, { query: search }), enabled: audience === 'person' })
  if (audience === 'operation') return all.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []
  if (audience === 'group')
    return (
      tags.data?.items.map(({ tag, count }) => ({ value: tag, label: `${tag} (${plural(count, 'participant')})` })) ??
      []
    )
  return people.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []
}

/** To whom it goes. */
export function Target({ choice, error, onChange }: Props) {
  const [q, setQ] = useState('')
  const { audience, value } = choice
  const options = useOptions(audience, q)
  return (
    <div className="grid gap-4">
      <RadioGroup
        label="Destinataires"
        options={audiences}
        value={audience}
        onChange={({ target }) => {
          const next = audiences.find((one) => one.value === target.value)
          if (next) onChange({ audience: next.value, value: '' })
        }}
      />
      {audience === 'person' && (
        <SearchBox label="Rechercher un participant" value={q} onSearch={setQ} className="w-full sm:w-80" />
      )}
      <FieldFrame
        id="message-target"
        label={NAMES[audience]}
        {...(audience === 'group' && { hint: 'Les participants qui portent la même étiquette.' })}
        {...(error && { error })}
      >
        <Select
          id="message-target"
          value={value}
          aria-invalid={error ? true : undefined}
          onChange={(event) => onChange({ audience, value: event.target.value })}
          options={[FIRST, ...options]}
        />
      </FieldFrame>
    </div>
  )
}
