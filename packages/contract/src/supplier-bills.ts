import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Day, Id, Instant, OptionalText, Text } from './primitives.ts'

export const BillVerdict = z.enum(['right', 'short', 'over', 'unknown'])
export type BillVerdict = z.infer<typeof BillVerdict>
const Kwh = z.int('Un nombre entier de kWh est attendu, par exemple 128.').min(0).max(10_000_000)

/** What an invoice of a supplier says; `to` is the first day it no longer covers. */
export const NewSupplierBill = z
  .strictObject({
    pointId: Id,
    supplier: Text,
    number: OptionalText,
    from: Day,
    to: Day,
    /** Whole kWh taken off for local energy. */
    deductedKwh: Kwh,
    /** Whole kWh left to be paid, where the invoice says it. */
    billedKwh: Kwh.nullable(),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], message: 'La période doit compter au moins un jour.' })

/** A stretch of the period: by whose figures, or why there are none. */
export const BillPart = z.object({
  from: Day,
  to: Day,
  source: z.enum(['distributor', 'definitive', 'provisional', 'missing', 'outside']),
  /** Watt-minutes of local energy; null where they are not known. */
  local: z.int().nullable(),
  consumed: z.int().nullable(),
})
export type BillPart = z.infer<typeof BillPart>

export const SupplierBill = z.object({
  id: Id,
  participant: z.object({ id: Id, name: z.string() }),
  point: z.object({ id: Id, prm: z.string(), label: z.string() }),
  supplier: z.string(),
  number: z.string(),
  from: Day,
  to: Day,
  deductedKwh: z.int(),
  billedKwh: z.int().nullable(),
  verdict: BillVerdict,
  expectedWh: z.int().nullable(),
  /** What was found, in words. */
  sentences: z.array(z.string()),
  parts: z.array(BillPart),
  by: z.string(),
  at: Instant,
})
export type SupplierBill = z.infer<typeof SupplierBill>

/** What a file was understood to say: a person reads it over before it is checked. */
export const ReadBill = z.object({
  supplier: z.string(),
  number: z.string(),
  prm: z.string(),
  from: Day.nullable(),
  to: Day.nullable(),
  deductedKwh: z.int().nullable(),
  billedKwh: z.int().nullable(),
})
export type ReadBill = z.infer<typeof ReadBill>

const readAccess = { permission: 'participants.read', portal: true } as const

export const supplierBills = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/supplier-bills',
    access: readAccess,
    summary: 'Lister les factures de fournisseurs vérifiées',
    response: z.object({
      items: z.array(SupplierBill),
      points: z.array(z.object({ id: Id, name: z.string(), prm: z.string() })),
    }),
  }),
  read: defineEndpoint({
    method: 'POST',
    path: '/api/supplier-bills/read',
    access: { permission: 'participants.write', portal: true },
    summary: 'Lire la facture d’un fournisseur',
    upload: 10_000_000,
    audit: 'none',
    response: ReadBill,
  }),
  check: defineEndpoint({
    method: 'POST',
    path: '/api/supplier-bills',
    access: { permission: 'participants.write', portal: true },
    summary: 'Vérifier la facture d’un fournisseur',
    body: NewSupplierBill,
    response: SupplierBill,
  }),
  letter: defineEndpoint({
    method: 'GET',
    path: '/api/supplier-bills/:id/letter',
    access: readAccess,
    summary: 'Télécharger la lettre au fournisseur',
    params: z.object({ id: Id }),
    response: { file: 'application/pdf' },
  }),
}
