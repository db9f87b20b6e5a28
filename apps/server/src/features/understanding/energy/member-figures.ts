import type { MemberEnergyItem } from '@voisol/contract/energy-rows'
import { computeValueCents } from '@voisol/money/worth'
import type { z } from 'zod'
import type { ParticipationSum } from './seat-pack.ts'
import { splitEnergy, toWh } from './totals.ts'

type Row = z.infer<typeof MemberEnergyItem>
export type MemberFigures = Pick<Row, 'total' | 'local' | 'pending' | 'rate' | 'valueCents'>

const computeRatio = (part: number, whole: number) => (whole > 0 ? part / whole : null)

/** The figures of a member in a list. */
export function computeMemberFigures(sum: ParticipationSum, unitPrice: number | null): MemberFigures {
  const { whole, local, rest, pending } = splitEnergy(sum.energy, sum)
  return {
    total: toWh(whole),
    local: toWh(local),
    pending: toWh(pending),
    rate: computeRatio(local, local + rest),
    valueCents: unitPrice === null ? null : computeValueCents([{ wattMinutes: local, price: unitPrice }]),
  }
}

type SharedRow = Pick<Row, 'operationId' | 'direction' | 'local' | 'share'>

/** Sets each member's share of the local energy of its direction in the operation. */
export function assignShares(rows: SharedRow[]): void {
  const pools = new Map<string, Record<Row['direction'], number>>()
  for (const { operationId, direction, local } of rows) {
    const pool = pools.get(operationId) ?? { consumption: 0, production: 0 }
    pools.set(operationId, pool)
    pool[direction] += local
  }
  for (const row of rows) row.share = computeRatio(row.local, pools.get(row.operationId)?.[row.direction] ?? 0)
}
