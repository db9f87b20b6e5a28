import type { EnedisCall } from '@voisol/contract/enedis'
import { useSearchParams } from 'react-router'
import { FieldFrame } from '../../../ui/field-frame.tsx'
import { Select } from '../../../ui/select.tsx'
import { getShortCallLabel, groupCallsByInterface } from '../docs/groups.ts'

const CALL_PARAM = 'appel'

/** The call one has chosen; the choice is in the address, where the documentation writes it too. */
export function useCallChoice(calls: EnedisCall[]) {
  const [search, setSearch] = useSearchParams()
  const call = calls.find(({ id }) => id === search.get(CALL_PARAM)) ?? calls[0]
  const choose = (id: string) =>
    setSearch(
      (old) => {
        old.set(CALL_PARAM, id)
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
      {groupCallsByInterface(calls).map((group) => (
        <optgroup key={group.id} label={group.title}>
          {group.calls.map((call) => (
            <option key={call.id} value={call.id}>
              {getShortCallLabel(call)}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  </FieldFrame>
)
