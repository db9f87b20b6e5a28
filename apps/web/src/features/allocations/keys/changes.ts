import { allocations } from '@voisol/contract/allocations'
import { energy } from '@voisol/contract/energy'
import { keys } from '@voisol/contract/keys'
import { operations } from '@voisol/contract/operations'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { getTodayInParis } from '../../../ui/period/period.ts'

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
