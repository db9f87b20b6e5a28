import type { EffectMember, EffectMonth } from '@voisol/contract/effects'
import type { Db } from '../../../db/client.ts'
import type { Context } from '../../../http/route.ts'
import type { DailyPair } from '../../energy/allocations/allocations.ts'
import { type Again, amountsOf, billedAgain } from '../../money/corrections/corrections.ts'

type Month = { operationId: string; month: string }

/** With the change made: what each month that was invoiced would be billed from; nothing for the others. */
export async function billedOf(db: Db, companyId: number, months: readonly Month[]): Promise<(Again | undefined)[]> {
  const found: (Again | undefined)[] = []
  for (const { operationId, month } of months)
    found.push(await billedAgain(db, companyId, operationId, month.slice(0, 7)))
  return found
}

type Named = { participantId: string; name: string; prm: string }

/** A buyer whose energy stays and whose price does not has a row, too. */
const rowOf = ({ participantId, name, prm }: Named): EffectMember => ({
  participantId,
  name,
  prm,
  direction: 'consumption',
  before: null,
  after: null,
})

const weight = ({ before, after }: EffectMember) => Math.abs((after?.local ?? 0) - (before?.local ?? 0))

/** The amounts beside the energy, each buyer's on the first of its meters. */
function withAmounts(month: EffectMonth, amounts: ReadonlyMap<string, number>, others: EffectMember[]): EffectMonth {
  const left = new Map(amounts)
  const take = (member: EffectMember): EffectMember => {
    const cents = member.direction === 'consumption' ? left.get(member.participantId) : undefined
    if (cents === undefined) return member
    left.delete(member.participantId)
    return { ...member, cents }
  }
  const known = month.members.map(take)
  const more = others.map(take).filter(({ cents }) => cents !== undefined)
  const members = [...known, ...more].sort(
    (a, b) => weight(b) - weight(a) || Math.abs(b.cents ?? 0) - Math.abs(a.cents ?? 0),
  )
  return {
    ...month,
    changed: month.changed || more.length > 0,
    members,
    unchanged: month.unchanged - more.length,
    cents: [...amounts.values()].reduce((sum, cents) => sum + cents, 0),
  }
}

/** Those who took part and for whom the energy stays as it was. */
const restOf = ({ members }: EffectMonth, all: readonly EffectMember[]) => {
  const nameOf = ({ participantId, prm, direction }: EffectMember) => `${participantId} ${prm} ${direction}`
  const known = new Set(members.map(nameOf))
  return all.filter((member) => !known.has(nameOf(member)))
}

type Priced = { again: Again | undefined; pairs?: readonly DailyPair[]; all: readonly EffectMember[] }

/** A month that was invoiced, in euros: by the very functions that propose its regularisation. */
export async function inEuros(ctx: Context, month: EffectMonth, { again, pairs, all }: Priced): Promise<EffectMonth> {
  const amounts = again && (await amountsOf(ctx, ctx.db, again, pairs))
  if (!amounts) return month
  const rest = restOf(month, all)
  const there = new Set([...month.members, ...rest].map(({ participantId }) => participantId))
  const seats = again.now.frame.members.filter(({ buyer }) => !there.has(buyer))
  const absent = seats.map(({ buyer, name, prm }) => rowOf({ participantId: buyer, name, prm }))
  return withAmounts(month, amounts, [...rest, ...absent])
}
