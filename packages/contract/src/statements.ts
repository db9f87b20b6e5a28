import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Cents, InvoiceKind } from './money.ts'
import { Day, Id, Instant } from './primitives.ts'
import { FeePart } from './sellers.ts'

const DocumentAmounts = z.object({ net: Cents, tax: Cents, gross: Cents })

/** A producer's month of issue: what was sold in its name, what it owes the organiser, what is left. */
export const ProducerStatement = z.object({
  sellerId: Id,
  seller: z.string(),
  /** Its first day. */
  month: Day,
  documents: z.int(),
  sales: DocumentAmounts.extend({ wh: z.int() }),
  fees: z.array(z.object({ terms: FeePart, cents: Cents })),
  fee: DocumentAmounts,
  /** Null as long as the organiser does not collect for the producer. */
  collected: Cents.nullable(),
  result: Cents,
  payable: Cents.nullable(),
  /** What was told and stays; null while the month goes on or nobody has settled it. */
  settled: z.object({ at: Instant, by: z.string(), invoiceId: Id.nullable(), invoiceNumber: z.string() }).nullable(),
  /** Why it cannot be settled yet, in words; empty where it can. */
  waits: z.string(),
})
export type ProducerStatement = z.infer<typeof ProducerStatement>

const StatementDocument = z.object({
  id: Id,
  number: z.string(),
  kind: InvoiceKind,
  buyer: z.string(),
  issuedOn: Day,
  wh: z.int(),
  net: Cents,
  tax: Cents,
  gross: Cents,
})
const StatementMonth = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Un mois est attendu, par exemple 2026-05.')
const params = z.object({ sellerId: Id, month: StatementMonth })

export const statements = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/statements',
    access: { permission: 'parties.read' },
    summary: 'Lister les relevés des producteurs d’un mois',
    /** Without a month, the last one that is over and has something, or else the one that runs. */
    query: z.object({ month: StatementMonth.optional() }),
    response: z.object({ month: StatementMonth, items: z.array(ProducerStatement) }),
  }),
  get: defineEndpoint({
    method: 'GET',
    path: '/api/statements/:sellerId/:month',
    access: { permission: 'parties.read' },
    summary: 'Ouvrir le relevé d’un producteur',
    params,
    response: ProducerStatement.extend({ items: z.array(StatementDocument) }),
  }),
  year: defineEndpoint({
    method: 'GET',
    path: '/api/statements/:sellerId/year/:year',
    access: { permission: 'parties.read' },
    summary: 'Lire l’année d’un producteur, mois par mois',
    params: z.object({ sellerId: Id, year: z.coerce.number().int().min(2020).max(2100) }),
    response: z.object({
      sellerId: Id,
      seller: z.string(),
      months: z.array(ProducerStatement),
      total: DocumentAmounts.extend({ wh: z.int(), fees: Cents }),
    }),
  }),
  settle: defineEndpoint({
    method: 'POST',
    path: '/api/statements/:sellerId/:month',
    access: { permission: 'parties.write' },
    summary: 'Arrêter le relevé d’un producteur, frais facturés',
    params,
    response: ProducerStatement,
  }),
  pdf: defineEndpoint({
    method: 'GET',
    path: '/api/statements/:sellerId/:month/pdf',
    access: { permission: 'parties.read' },
    summary: 'Télécharger le relevé d’un producteur',
    params,
    response: { file: 'application/pdf' },
  }),
}
