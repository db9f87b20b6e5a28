import { allocations } from '@voisol/contract/allocations'
import { energy } from '@voisol/contract/energy'
import { type Key, keys } from '@voisol/contract/keys'
import { operations } from '@voisol/contract/operations'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { Badge, type Tone } from '../../../../components/badge.tsx'
import { getTodayInParis } from '../../../../components/period/period.ts'
import { formatNumericDay } from '../labels.tsx'

export type KeyState = 'draft' | 'current' | 'upcoming' | 'replaced'

export const getKeyState = ({ status, inForce, startsOn }: Key, today = getTodayInParis()): KeyState =>
  status === 'draft' ? 'draft' : inForce ? 'current' : startsOn > today ? 'upcoming' : 'replaced'

const KEY_STATE_BADGES: Record<KeyState, { label: string; tone: Tone }> = {
  draft: { label: 'Brouillon', tone: 'neutral' },
  current: { label: 'En vigueur', tone: 'success' },
  upcoming: { label: 'À venir', tone: 'info' },
  replaced: { label: 'Remplacée', tone: 'neutral' },
}

export const KeyBadges = ({ version }: { version: Key }) => {
  const { label, tone } = KEY_STATE_BADGES[getKeyState(version)]
  return (
    <span className="inline-flex flex-wrap gap-1.5 self-center">
      <Badge tone={tone}>{label}</Badge>
      {version.locked && <Badge tone="warning">Verrouillée</Badge>}
    </span>
  )
}

/** « du 01/01/2026 au 01/04/2026 exclu », « à partir du 01/04/2026 ». */
export const formatKeyPeriod = ({ startsOn, endsOn }: Pick<Key, 'startsOn' | 'endsOn'>) =>
  endsOn
    ? `du ${formatNumericDay(startsOn)} au ${formatNumericDay(endsOn)} exclu`
    : `à partir du ${formatNumericDay(startsOn)}`

/** What a change of key touches: runs may be stale, the operation's method another. */
export const KEY_DEPENDENT_QUERIES = [
  keys.list,
  keys.get,
  keys.compare,
  operations.get,
  operations.list,
  allocations.list,
  allocations.get,
  energy.summary,
  energy.operations,
]

/** In the address, in the place of a version: one that does not exist yet. */
export const NEW_VERSION = 'nouvelle'

/** A key is replaced for the future, at the start of a month unless told otherwise. */
export const getStartOfNextMonth = () => addMonths(monthOf(getTodayInParis()), 1)
