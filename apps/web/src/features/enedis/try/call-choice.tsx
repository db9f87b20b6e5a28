import type { EnedisCall } from '@voisol/contract/enedis'
import { useSearchParams } from 'react-router'
import { FieldFrame } from '../../../ui/field-frame.tsx'
import { Select } from '../../../ui/select.tsx'
import { groupsOf, shortLabel } from '../docs/groups.ts'

const CALL = 'appel'

/** The call one has chosen; the choice is in the address, where the documentation writes it too. */
export function useCall(calls: EnedisCall[]) {
  const [search, setSearch] = useSearchParams()
  const call = calls.find(({ id }) => id === search.get(CALL)) ?? calls[0]
  const choose = (id: string) =>
    setSearch(
      (old) => {
        old.set(CALL, id)
        return old
      },
      { replace: true, preventScrollReset: true },
    )
  return [call, choose] as const
}

type CallChoiceProps = { calls: EnedisCall[]; value: string; onChange: (id: string) => void }

export const CallChoice = ({ calls, value, onChange }: CallChoiceProps) => (
  <FieldFrame id="call" label="Appel">
    <Select id="call" value={value} onChange={(event) => onChange(event.target.value)}>
      {groupsOf(calls).map((group) => (
        <optgroup key={group.id} label={group.title}>
          {group.calls.map((call) => (
            <option key={call.id} value={call.id}>
              {shortLabel(call)}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  </FieldFrame>
)
