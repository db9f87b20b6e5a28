import { allocations } from '@voisol/contract/allocations'
import { energy } from '@voisol/contract/energy'
import { keys } from '@voisol/contract/keys'
import { operations } from '@voisol/contract/operations'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { todayInParis } from '../../../ui/period/period.ts'

/** What a change of key touches: runs may be stale, the operation's method another. */
export const CHANGED = [
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
export const NEW = 'nouvelle'

/** A key is replaced for the future, at the start of a month unless told otherwise. */
export const nextMonth = () => addMonths(monthOf(todayInParis()), 1)
