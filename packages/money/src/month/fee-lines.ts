import { clip, type Period, type Span } from '../calendar/days.ts'
import type { FeeLine, Vat } from '../documents/lines.ts'
import { feeCents } from '../tariff/fees.ts'
import type { Fee, Member } from './input.ts'

const meet = (a: Span, b: Span): Span => ({
  from: a.from > b.from ? a.from : b.from,
  to: a.to === null ? b.to : b.to === null || a.to < b.to ? a.to : b.to,
})

export const owesFee = (fee: Fee, member: Member, period: Period): boolean =>
  clip(period, member, fee) !== undefined && (fee.group === undefined || fee.group === member.group)

/** What a member owes of a fee for the month; nothing where it comes to zero cents. */
export function feeLine(fee: Fee, member: Member, period: Period, vat: Vat): FeeLine | undefined {
  const days = clip(period, member, fee)
  if (!days) return undefined
  const kva = fee.perKva ? (member.kva ?? 0) : null
  const amount = fee.amount * (kva ?? 1)
  const active = meet(member, fee)
  const net = feeCents({ amount, every: fee.every }, active, days)
  if (net === 0) return undefined
  const { prm, id } = member
  return {
    kind: 'fee',
    prm,
    member: id,
    ...days,
    rule: fee.id,
    liable: false,
    net,
    ...vat,
    every: fee.every,
    amount,
    kva,
    active,
  }
}
