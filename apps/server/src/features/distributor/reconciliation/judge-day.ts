import type { DifferenceCause } from '@voisol/contract/reconciliation'

/**
 * Energy in watt-minutes, without the excluded or missing steps, counted in minutes. A step is excluded when any member
 * lacked data, which changes what all others got.
 */
export type AllocatedDay = { local: number; excluded: number }
export type DistributorDay = { energy: number; missing: number }
export type DayFacts = {
  ours: AllocatedDay | undefined
  theirs: DistributorDay | undefined
  inOurs: boolean
  /** Null when the distributor's dates are unknown. */
  inTheirs: boolean | null
  /** Watt-minutes that the point can use at most in a whole day and in a minute. */
  most: { day: number; minute: number }
}
export type DayVerdict = { ours: number | null; theirs: number | null; cause: DifferenceCause }

/** Whether gaps can explain the difference: our gaps explain a higher value of theirs, and vice versa. */
export function canHolesExplain(gap: number, lacking: { ours: number; theirs: number }, tolerance: number): boolean {
  return gap <= lacking.ours + tolerance && -gap <= lacking.theirs + tolerance
}

/** Compares a point's day on both sides; undefined when neither has data. */
export function compareDay(facts: DayFacts, tolerance: number): DayVerdict | undefined {
  const { ours, theirs, inOurs, inTheirs, most } = facts
  if (!ours && !theirs) return undefined
  // Outside its dates a point has zero energy; within them, no data means a gap.
  const own = ours?.local ?? (inOurs ? null : 0)
  const their = theirs?.energy ?? (inTheirs === false ? 0 : null)
  const judged = { ours: own, theirs: their }
  if (own !== null && their !== null) {
    const difference = Math.abs(own - their)
    if (difference === 0) return { ...judged, cause: 'equal' }
    if (difference <= tolerance) return { ...judged, cause: 'rounding' }
  }
  // Energy attributed by the distributor proves that it counts the point as a member.
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

/** The cause of a month: unexplained when those days exceed the tolerance, otherwise the one with the largest total. */
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
