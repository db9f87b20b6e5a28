import { apportion, apportionRoundedSum, sumRatios } from '../numbers/apportion.ts'
import type { Ratio } from '../numbers/ratio.ts'
import type { MemberDrafts } from './drafts.ts'

/** Units of a member, and of each of its lines. */
export type MemberUnits = { units: number; lines: readonly number[] }

/** Watt-minutes in units of `resolutionWh`. */
const toUnits = ({ num, den }: Ratio, resolutionWh: number): Ratio => ({ num, den: den * 60n * BigInt(resolutionWh) })

/**
 * Divides the total of the operation over the members, then the units of each member over its lines, both by largest
 * remainder: lines sum to the member and members to the operation. Members in `kept` keep their units; the others share
 * the rounded sum of their exact energies.
 */
export function apportionMemberUnits(
  members: readonly MemberDrafts[],
  resolutionWh: number,
  kept: ReadonlyMap<string, number> = new Map(),
): Map<string, MemberUnits> {
  const shares = members.map(({ member, drafts }) => {
    const lines = drafts.map(({ energy }) => toUnits(energy, resolutionWh))
    return { id: member.id, lines, whole: sumRatios(lines) }
  })
  const sharing = shares.filter(({ id }) => !kept.has(id))
  const { units } = apportionRoundedSum(sharing.map(({ whole }) => whole))
  const given = new Map(sharing.map(({ id }, at) => [id, units[at] ?? 0]))
  return new Map(
    shares.map(({ id, lines }) => {
      const own = kept.get(id) ?? given.get(id) ?? 0
      return [id, { units: own, lines: apportion(lines, own) }]
    }),
  )
}
