import { intersectPeriods, type Period, type ValidityPeriod } from '../calendar/days.ts'
import type { FeeLine, VatRate } from '../documents/lines.ts'
import { computeFeeCents } from '../tariff/fees.ts'
import type { BillingFee, BillingMember } from './input.ts'

const intersectOpenPeriods = (a: ValidityPeriod, b: ValidityPeriod): ValidityPeriod => ({
  from: a.from > b.from ? a.from : b.from,
  to: a.to === null ? b.to : b.to === null || a.to < b.to ? a.to : b.to,
})

export const owesFee = (fee: BillingFee, member: BillingMember, period: Period): boolean =>
  intersectPeriods(period, member, fee) !== undefined && (fee.group === undefined || fee.group === member.group)

/** What a member owes of a fee for the month; nothing where it comes to zero cents. */
export function buildFeeLine(
  fee: BillingFee,
  member: BillingMember,
  period: Period,
  vat: VatRate,
): FeeLine | undefined {
  const days = intersectPeriods(period, member, fee)
  if (!days) return undefined
  const kva = fee.perKva ? (member.kva ?? 0) : null
  const amount = fee.amount * (kva ?? 1)
  const active = intersectOpenPeriods(member, fee)
  const net = computeFeeCents({ amount, every: fee.every }, active, days)
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
