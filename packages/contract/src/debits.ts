import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Cents } from './money.ts'
import { Day, Id, Instant, Version } from './primitives.ts'

export const RunState = z.enum(['announced', 'filed', 'sent', 'cancelled'])
export type RunState = z.infer<typeof RunState>
export const DebitState = z.enum(['planned', 'sent', 'collected', 'returned', 'cancelled'])
export type DebitState = z.infer<typeof DebitState>
const DebitInvoice = z.object({ invoiceId: Id, number: z.string(), amount: Cents })

const planned = {
  mandateId: Id,
  rum: z.string(),
  participantId: Id,
  participant: z.string(),
  ibanEnd: z.string(),
  amount: Cents,
  invoices: z.array(DebitInvoice),
}
export const PlannedDebit = z.object({ ...planned, retry: z.boolean() })
export const LeftInvoice = z.object({
  invoiceId: Id,
  number: z.string(),
  participant: z.string(),
  open: Cents,
  reason: z.string(),
})
/** What would be debited for an account, and when; nothing is written. */
export const DebitPlan = z.object({
  collectionOn: Day,
  submitBy: Day,
  earliest: Day,
  total: Cents,
  items: z.array(PlannedDebit),
  left: z.array(LeftInvoice),
})
export type DebitPlan = z.infer<typeof DebitPlan>

export const Debit = z.object({
  id: Id,
  ...planned,
  endToEndId: z.string(),
  sequence: z.string(),
  state: DebitState,
  noticedAt: Instant.nullable(),
  collectedOn: Day.nullable(),
  returnedOn: Day.nullable(),
  returnCode: z.string(),
  /** Why it came back and what follows, in words. */
  returned: z.string(),
})
export type Debit = z.infer<typeof Debit>

export const DebitRun = z.object({
  id: Id,
  accountId: Id,
  account: z.string(),
  creditor: z.string(),
  collectionOn: Day,
  submitBy: Day,
  messageId: z.string(),
  state: RunState,
  sentOn: Day.nullable(),
  debits: z.int(),
  total: Cents,
  collected: Cents,
  returned: Cents,
  by: z.string(),
  at: Instant,
  version: z.int(),
})
export type DebitRun = z.infer<typeof DebitRun>
export const DebitRunDetail = DebitRun.extend({ items: z.array(Debit) })
export type DebitRunDetail = z.infer<typeof DebitRunDetail>

const params = z.object({ id: Id })
const reading = { permission: 'bank.read' } as const
const writing = { permission: 'bank.write' } as const
const change = z.strictObject({ version: Version })

export const debits = {
  plan: endpoint({
    method: 'GET',
    path: '/api/debit-runs/plan',
    access: reading,
    summary: 'Voir ce qui serait prélevé',
    query: z.object({ accountId: Id, collectionOn: Day.optional() }),
    response: DebitPlan,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/debit-runs',
    access: reading,
    summary: 'Lister les prélèvements',
    response: z.object({ items: z.array(DebitRun) }),
  }),
  announce: endpoint({
    method: 'POST',
    path: '/api/debit-runs',
    access: writing,
    summary: 'Annoncer un prélèvement à ceux qui seront débités',
    /** `except`: mandates that are left out this time. */
    body: z.strictObject({ accountId: Id, collectionOn: Day.optional(), except: z.array(Id).max(10_000) }),
    response: DebitRunDetail,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/debit-runs/:id',
    access: reading,
    summary: 'Ouvrir un prélèvement',
    params,
    response: DebitRunDetail,
  }),
  prepare: endpoint({
    method: 'POST',
    path: '/api/debit-runs/:id/file',
    access: writing,
    summary: 'Préparer le fichier de prélèvement',
    params,
    body: change,
    response: DebitRunDetail,
  }),
  file: endpoint({
    method: 'GET',
    path: '/api/debit-runs/:id/file',
    access: reading,
    summary: 'Télécharger le fichier de prélèvement',
    params,
    response: { file: 'application/xml' },
  }),
  sent: endpoint({
    method: 'POST',
    path: '/api/debit-runs/:id/sent',
    access: writing,
    summary: 'Noter que le fichier de prélèvement est à la banque',
    params,
    body: change,
    response: DebitRunDetail,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/debit-runs/:id/cancel',
    access: writing,
    summary: 'Annuler un prélèvement avant son envoi',
    params,
    body: change,
    response: DebitRunDetail,
  }),
}
