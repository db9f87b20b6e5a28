import { useQuery } from '@tanstack/react-query'
import type { MessageAudience } from '@voisol/contract/messages'
import { operations } from '@voisol/contract/operations'
import { participants } from '@voisol/contract/participants'
import { useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Select } from '../../ui/select.tsx'
import { AUDIENCE_LABELS } from './words.ts'

export type RecipientChoice = { audience: MessageAudience; value: string }
type Props = { choice: RecipientChoice; error: string | undefined; onChange: (choice: RecipientChoice) => void }

const AUDIENCE_OPTIONS = (['operation', 'group', 'person'] as const).map((value) => ({
  value,
  label: AUDIENCE_LABELS[value],
}))
const AUDIENCE_FIELD_LABELS: Record<MessageAudience, string> = {
  operation: 'Opération',
  group: 'Groupe',
  person: 'Participant',
}
const EMPTY_OPTION = { value: '', label: 'Choisir…' }

/** What may be chosen; a group is those who bear the same tag. */
function useRecipientOptions(audience: MessageAudience, q: string) {
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
      tags.data?.items.map(({ tag, count }) => ({
        value: tag,
        label: `${tag} (${formatCount(count, 'participant')})`,
      })) ?? []
    )
  return people.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []
}

/** To whom it goes. */
export function RecipientFields({ choice, error, onChange }: Props) {
  const [q, setQ] = useState('')
  const { audience, value } = choice
  const options = useRecipientOptions(audience, q)
  return (
    <div className="grid gap-4">
      <RadioGroup
        label="Destinataires"
        options={AUDIENCE_OPTIONS}
        value={audience}
        onChange={({ target }) => {
          const next = AUDIENCE_OPTIONS.find((one) => one.value === target.value)
          if (next) onChange({ audience: next.value, value: '' })
        }}
      />
      {audience === 'person' && (
        <SearchBox label="Rechercher un participant" value={q} onSearch={setQ} className="w-full sm:w-80" />
      )}
      <FieldFrame
        id="message-target"
        label={AUDIENCE_FIELD_LABELS[audience]}
        {...(audience === 'group' && { hint: 'Les participants qui portent la même étiquette.' })}
        {...(error && { error })}
      >
        <Select
          id="message-target"
          value={value}
          aria-invalid={error ? true : undefined}
          onChange={(event) => onChange({ audience, value: event.target.value })}
          options={[EMPTY_OPTION, ...options]}
        />
      </FieldFrame>
    </div>
  )
}
