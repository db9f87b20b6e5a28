import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { PeriodEnergyTotals } from './energy-figures.ts'
import { LotCharges } from './lots.ts'
import { Cents, UnitPrice } from './money.ts'
import { Day, Id, Period } from './primitives.ts'

/** A participant: energy supplied, amounts invoiced and paid, and savings. */
const AssemblyBuyer = z.object({
  id: Id,
  name: z.string(),
  /** Watt-hours of local energy; null where no data cover the period. */
  wh: z.number().nullable(),
  billed: Cents,
  settled: Cents,
  /** What is still to be paid, less advances and credit notes. */
  open: Cents,
  overdue: Cents,
  /** Before tax, compared with the supplier's price; null where a price is not known. */
  saved: Cents.nullable(),
})
/** A producer: sales in its name, less the organiser's fees. */
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

/** Figures for a general assembly: payments, savings and income of the roof over some days of supply. */
export const Assembly = z.object({
  operation: z.object({ id: Id, name: z.string() }),
  from: Day,
  to: Day,
  /** The day on which payments were counted. */
  on: Day,
  /** Null where no data cover the period. */
  energy: PeriodEnergyTotals.nullable(),
  supplierPrice: UnitPrice.nullable(),
  surplusPrice: UnitPrice.nullable(),
  buyers: z.array(AssemblyBuyer),
  totals: z.object({ billed: Cents, settled: Cents, open: Cents, overdue: Cents, saved: Cents.nullable() }),
  producers: z.array(AssemblyProducer),
  /** Sales less fees, plus the value of the surplus where its price is known. */
  earned: Cents,
  surplus: Cents.nullable(),
  /** The charges of buyers whose bill is divided over lots. */
  lots: z.array(LotCharges),
  /** Warnings to read before voting on these figures. */
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
