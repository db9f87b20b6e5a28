import { getBergesHomeRef } from '../world/berges-homes.ts'
import { BERGES_ID, TILLEULS_ID } from '../world/ids.ts'
import { getDayInMonth } from '../world/scale.ts'

/** The home whose readings the distributor refuses; it has no other fault. */
export const WITHDRAWN_HOME = getBergesHomeRef(22)
export const OPPOSED_HOME = getBergesHomeRef(48)
export const BLOCKED_CONSENTS: Record<string, 'withdrawn' | 'opposed'> = {
  [WITHDRAWN_HOME]: 'withdrawn',
  [OPPOSED_HOME]: 'opposed',
}

type Delay = { operation: string; from: string; to: string }

/** The change of key of the residence was applied four days late. */
export const getLateKeyChange = (anchor: string): Delay => ({
  operation: TILLEULS_ID,
  from: getDayInMonth(anchor, -8, 15),
  to: getDayInMonth(anchor, -8, 19),
})

/** A home that joined on the 17th is recorded by the distributor from the 20th. */
export const LATE_ENTRY_HOME = getBergesHomeRef(71)
export const getLateEntry = (anchor: string): Delay & { ref: string } => ({
  operation: BERGES_ID,
  ref: LATE_ENTRY_HOME,
  from: getDayInMonth(anchor, -3, 17),
  to: getDayInMonth(anchor, -3, 20),
})
