import { home } from '../world/berges-homes.ts'
import { BERGES, TILLEULS } from '../world/ids.ts'
import { dayIn } from '../world/scale.ts'

/** Homes of the district whose readings the distributor refuses; nothing else ever happens to them. */
export const WITHDRAWN = home(22)
export const OPPOSED = home(48)
export const BLOCKED: Record<string, 'withdrawn' | 'opposed'> = { [WITHDRAWN]: 'withdrawn', [OPPOSED]: 'opposed' }

type Delay = { operation: string; from: string; to: string }

/** The change of key of the residence was applied four days late. */
export const lateKey = (anchor: string): Delay => ({
  operation: TILLEULS,
  from: dayIn(anchor, -8, 15),
  to: dayIn(anchor, -8, 19),
})

/** A home of the district that came in on the 17th is in the distributor's books from the 20th. */
export const LATE_ENTRY = home(71)
export const lateEntry = (anchor: string): Delay & { ref: string } => ({
  operation: BERGES,
  ref: LATE_ENTRY,
  from: dayIn(anchor, -3, 17),
  to: dayIn(anchor, -3, 20),
})
