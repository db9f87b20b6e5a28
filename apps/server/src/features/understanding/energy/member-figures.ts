import type { MemberRow } from '@voisol/contract/energy-rows'
import { worthCents } from '@voisol/money/worth'
import type { z } from 'zod'
import type { SeatSum } from './seat-pack.ts'
import { partsOf, toWh } from './totals.ts'

type Row = z.infer<typeof MemberRow>
export type MemberFigures = Pick<Row, 'total' | 'local' | 'pending' | 'rate' | 'valueCents'>

const ratio = (part: number, whole: number) => (whole > 0 ? part / whole : null)

/** What a list says of what a member read and was given. */
export function memberFigures(sum: SeatSum, unitPrice: number | null): MemberFigures {
  const { whole, local, rest, pending } = partsOf(sum.energy, sum)
  return {
    total: toWh(whole),
    local: toWh(local),
    pending: toWh(pending),
    rate: ratio(local, local + rest),
    valueCents: unitPrice === null ? null : worthCents([{ wattMinutes: local, price: unitPrice }]),
  }
}

type Sharing = Pick<Row, 'operationId' | 'direction' | 'local' | 'share'>

/** Of all who take part in some operations, each given its share: of what those of its side were given. */
export function sharesOf(rows: Sharing[]): void {
  const pools = new Map<string, Record<Row['direction'], number>>()
  for (const { operationId, direction, local } of rows) {
    const pool = pools.get(operationId) ?? { consumption: 0, production: 0 }
    pools.set(operationId, pool)
    pool[direction] += local
  }
  for (const row of rows) row.share = ratio(row.local, pools.get(row.operationId)?.[row.direction] ?? 0)
}
