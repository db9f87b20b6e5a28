import type { DifferenceCause } from '@voisol/contract/reconciliation'

/**
 * Watt-minutes, and minutes of steps left out or missing, which are not in the energy. `excluded` steps lacked
 * somebody's figure, which moves what all the others got.
 */
export type AllocatedDay = { local: number; excluded: number }
export type DistributorDay = { energy: number; missing: number }
export type DayFacts = {
  ours: AllocatedDay | undefined
  theirs: DistributorDay | undefined
  inOurs: boolean
  /** Null where the distributor's dates are not known. */
  inTheirs: boolean | null
  /** Watt-minutes that a whole day can hold, and a minute of it. */
  most: { day: number; minute: number }
}
export type DayVerdict = { ours: number | null; theirs: number | null; cause: DifferenceCause }

/** Whether holes are large enough for the gap: what we lack explains what they have more, and the other way round. */
export function canHolesExplain(gap: number, lacking: { ours: number; theirs: number }, tolerance: number): boolean {
  return gap <= lacking.ours + tolerance && -gap <= lacking.theirs + tolerance
}

/** What a point has of a day on either side; nothing where neither says anything. */
export function compareDay(facts: DayFacts, tolerance: number): DayVerdict | undefined {
  const { ours, theirs, inOurs, inTheirs, most } = facts
  if (!ours && !theirs) return undefined
  // Outside of its dates a point has nothing, which is known; within them, nothing is a hole.
  const own = ours?.local ?? (inOurs ? null : 0)
  const their = theirs?.energy ?? (inTheirs === false ? 0 : null)
  const judged = { ours: own, theirs: their }
  if (own !== null && their !== null) {
    const difference = Math.abs(own - their)
    if (difference === 0) return { ...judged, cause: 'equal' }
    if (difference <= tolerance) return { ...judged, cause: 'rounding' }
  }
  // What the distributor attributes on a day shows that it counts the point in.
  const counted = inTheirs ?? (theirs && theirs.energy > 0 ? true : null)
  const datesDiffer = counted !== null && counted !== inOurs
  const lacking = {
    ours: datesDiffer || !ours ? most.day : ours.excluded * most.minute,
    theirs: datesDiffer || !theirs ? most.day : theirs.missing * most.minute,
  }
  if (!canHolesExplain((their ?? 0) - (own ?? 0), lacking, tolerance)) return { ...judged, cause: 'unexplained' }
  if (datesDiffer && (!ours || !theirs)) return { ...judged, cause: 'membership-dates' }
  const holes = !ours || !theirs || ours.excluded > 0 || theirs.missing > 0
  return { ...judged, cause: holes ? 'missing-data' : 'membership-dates' }
}

/** The cause of a month: what the days leave unexplained if it counts, else what weighs most. */
export function computeMonthCause(days: DayVerdict[], tolerance: number): DifferenceCause {
  const weights = new Map<DifferenceCause, number>()
  for (const { ours, theirs, cause } of days) {
    if (cause === 'equal' || cause === 'rounding') continue
    weights.set(cause, (weights.get(cause) ?? 0) + Math.abs((ours ?? 0) - (theirs ?? 0)))
  }
  if ((weights.get('unexplained') ?? 0) > tolerance) return 'unexplained'
  weights.delete('unexplained')
  const [heaviest] = [...weights].sort(([, a], [, b]) => b - a)
  return heaviest?.[0] ?? 'unexplained'
}
