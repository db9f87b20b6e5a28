import type { ImpactMonth, MemberImpact } from '@voisol/contract/effects'
import type { Db } from '../../../db/client.ts'
import type { RouteContext } from '../../../http/route.ts'
import type { DailyPair } from '../../energy/allocations/allocations.ts'
import {
  computeCorrectionAmounts,
  findRecomputationSource,
  type RecomputationSource,
} from '../../money/corrections/corrections.ts'

type OperationMonth = { operationId: string; month: string }

/** The billing input of each invoiced month after the change; undefined for the others. */
export async function loadRebillingInputs(
  db: Db,
  companyId: number,
  months: readonly OperationMonth[],
): Promise<(RecomputationSource | undefined)[]> {
  const inputs: (RecomputationSource | undefined)[] = []
  for (const { operationId, month } of months)
    inputs.push(await findRecomputationSource(db, companyId, operationId, month.slice(0, 7)))
  return inputs
}

type NamedMember = { participantId: string; name: string; prm: string }

/** A buyer whose energy is unchanged but whose price changes also has a row. */
const toUnchangedMember = ({ participantId, name, prm }: NamedMember): MemberImpact => ({
  participantId,
  name,
  prm,
  direction: 'consumption',
  before: null,
  after: null,
})

const getLocalChange = ({ before, after }: MemberImpact) => Math.abs((after?.local ?? 0) - (before?.local ?? 0))

/** Adds amounts to a month, each buyer's on its first meter. */
function addAmountsToMonth(
  month: ImpactMonth,
  amounts: ReadonlyMap<string, number>,
  others: MemberImpact[],
): ImpactMonth {
  const remainingAmounts = new Map(amounts)
  const assignAmount = (member: MemberImpact): MemberImpact => {
    const cents = member.direction === 'consumption' ? remainingAmounts.get(member.participantId) : undefined
    if (cents === undefined) return member
    remainingAmounts.delete(member.participantId)
    return { ...member, cents }
  }
  const membersWithChange = month.members.map(assignAmount)
  const otherMembers = others.map(assignAmount).filter(({ cents }) => cents !== undefined)
  const members = [...membersWithChange, ...otherMembers].sort(
    (a, b) => getLocalChange(b) - getLocalChange(a) || Math.abs(b.cents ?? 0) - Math.abs(a.cents ?? 0),
  )
  return {
    ...month,
    changed: month.changed || otherMembers.length > 0,
    members,
    unchanged: month.unchanged - otherMembers.length,
    cents: [...amounts.values()].reduce((sum, cents) => sum + cents, 0),
  }
}

/** Members whose energy is unchanged. */
const listUnchangedMembers = ({ members }: ImpactMonth, all: readonly MemberImpact[]) => {
  const getMemberKey = ({ participantId, prm, direction }: MemberImpact) => `${participantId} ${prm} ${direction}`
  const known = new Set(members.map(getMemberKey))
  return all.filter((member) => !known.has(getMemberKey(member)))
}

type RebillingData = {
  again: RecomputationSource | undefined
  pairs?: readonly DailyPair[]
  all: readonly MemberImpact[]
}

/** Adds euros to an invoiced month, computed by the same functions as its correction. */
export async function addEurosToMonth(
  ctx: RouteContext,
  month: ImpactMonth,
  { again, pairs, all }: RebillingData,
): Promise<ImpactMonth> {
  const amounts = again && (await computeCorrectionAmounts(ctx, ctx.db, again, pairs))
  if (!amounts) return month
  const rest = listUnchangedMembers(month, all)
  const listedParticipantIds = new Set([...month.members, ...rest].map(({ participantId }) => participantId))
  const absentBuyers = again.now.frame.members.filter(({ buyer }) => !listedParticipantIds.has(buyer))
  const absentMembers = absentBuyers.map(({ buyer, name, prm }) =>
    toUnchangedMember({ participantId: buyer, name, prm }),
  )
  return addAmountsToMonth(month, amounts, [...rest, ...absentMembers])
}
