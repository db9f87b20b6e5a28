import { useQuery } from '@tanstack/react-query'
import { operations } from '@voisol/contract/operations'
import { participants } from '@voisol/contract/participants'
import { useId, useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { query } from '../../lib/queries.ts'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Select } from '../../ui/select.tsx'

type Props = { value: string; onChange: (id: string) => void }
const MAX_LISTED_OPERATIONS = 100

export function ExportOperationFilter({ value, onChange }: Props) {
  const id = useId()
  const { data } = useQuery(query(operations.list, { query: { size: MAX_LISTED_OPERATIONS, sort: 'name' } }))
  return (
    <FieldFrame id={id} label="Opération">
      <Select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">Toutes</option>
        {data?.items.map((each) => (
          <option key={each.id} value={each.id}>
            {each.name}
          </option>
        ))}
      </Select>
    </FieldFrame>
  )
}

const MAX_LISTED_PARTICIPANTS = 50
/** Found by a part of the name: an organisation may have thousands. */
export function ExportParticipantFilter({ value, onChange }: Props) {
  const id = useId()
  const [q, setQ] = useState('')
  const { data } = useQuery(
    query(participants.list, { query: { size: MAX_LISTED_PARTICIPANTS, sort: 'name', ...(q && { q }) } }),
  )
  const hasMore = (data?.total ?? 0) > MAX_LISTED_PARTICIPANTS
  return (
    <div className="grid gap-2">
      <FieldFrame id={id} label="Participant">
        <Select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">Tous</option>
          {data?.items.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </Select>
      </FieldFrame>
      {(hasMore || q) && <SearchBox label="Rechercher un participant" value={q} onSearch={setQ} />}
    </div>
  )
}

/** A filter whose list one may not read is not offered. */
export function useAllowedExportFilters() {
  const may = useCan()
  return { operation: may(operations.list), participant: may(participants.list) }
}
