import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { PeriodEnergyTotals } from './energy-totals.ts'
import { LotCharges } from './lots.ts'
import { Cents, UnitPrice } from './money.ts'
import { Day, Id, Period } from './primitives.ts'

/** A participant: what it was supplied and invoiced, what is paid of it, and what it saved. */
const AssemblyBuyer = z.object({
  id: Id,
  name: z.string(),
  /** Watt-hours of local energy; null where nothing is known of the period. */
  wh: z.number().nullable(),
  billed: Cents,
  settled: Cents,
  /** What is left, advances and credit notes taken away. */
  open: Cents,
  overdue: Cents,
  /** Before tax, against the supplier's price; null where a price is not known. */
  saved: Cents.nullable(),
})
/** A producer: what was sold in its name, less what the organiser asked. */
const AssemblyProducer = z.object({
  id: Id,
  name: z.string(),
  wh: z.int(),
  net: Cents,
  tax: Cents,
  gross: Cents,
  fees: Cents,
  earned: Cents,
})

/** Who paid, who saved, what the roof earned, over some days of supply. */
export const Assembly = z.object({
  operation: z.object({ id: Id, name: z.string() }),
  from: Day,
  to: Day,
  /** The day on which what is paid was looked at. */
  on: Day,
  /** Null where nothing is known of the period. */
  energy: PeriodEnergyTotals.nullable(),
  supplierPrice: UnitPrice.nullable(),
  surplusPrice: UnitPrice.nullable(),
  buyers: z.array(AssemblyBuyer),
  totals: z.object({ billed: Cents, settled: Cents, open: Cents, overdue: Cents, saved: Cents.nullable() }),
  producers: z.array(AssemblyProducer),
  /** Fees included: sold less fees, and what the surplus is worth where its price is known. */
  earned: Cents,
  surplus: Cents.nullable(),
  /** The charges of buyers who are spread over lots. */
  lots: z.array(LotCharges),
  /** What a reader must know before these figures are voted on. */
  notes: z.array(z.string()),
})
export type Assembly = z.infer<typeof Assembly>

const params = z.object({ id: Id })
const readAccess = { permission: 'invoices.read' } as const

export const assembly = {
  get: defineEndpoint({
    method: 'GET',
    path: '/api/acc-operations/:id/assembly',
    access: readAccess,
    summary: 'Lire le dossier d’assemblée d’une opération',
    params,
    query: Period,
    response: Assembly,
  }),
  file: defineEndpoint({
    method: 'GET',
    path: '/api/acc-operations/:id/assembly/file',
    access: readAccess,
    summary: 'Télécharger le dossier d’assemblée',
    params,
    query: Period,
    response: { file: 'application/pdf' },
  }),
}
