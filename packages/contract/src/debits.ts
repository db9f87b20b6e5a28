import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Cents } from './money.ts'
import { Day, Id, Instant, Version } from './primitives.ts'

const DebitRunState = z.enum(['announced', 'filed', 'sent', 'cancelled'])
const DebitState = z.enum(['planned', 'sent', 'collected', 'returned', 'cancelled'])
const DebitInvoice = z.object({ invoiceId: Id, number: z.string(), amount: Cents })

const plannedDebitFields = {
  mandateId: Id,
  rum: z.string(),
  participantId: Id,
  participant: z.string(),
  ibanEnd: z.string(),
  amount: Cents,
  invoices: z.array(DebitInvoice),
}
const PlannedDebit = z.object({ ...plannedDebitFields, retry: z.boolean() })
const ExcludedInvoice = z.object({
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
  left: z.array(ExcludedInvoice),
})
export type DebitPlan = z.infer<typeof DebitPlan>

export const Debit = z.object({
  id: Id,
  ...plannedDebitFields,
  endToEndId: z.string(),
  sequence: z.string(),
  state: DebitState,
  noticedAt: Instant.nullable(),
  collectedOn: Day.nullable(),
  returnedOn: Day.nullable(),
  returnCode: z.string(),
  /** Why it was returned and what happens next, in French. */
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
  state: DebitRunState,
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
const readAccess = { permission: 'bank.read' } as const
const writeAccess = { permission: 'bank.write' } as const
const versionBody = z.strictObject({ version: Version })

export const debits = {
  plan: defineEndpoint({
    method: 'GET',
    path: '/api/debit-runs/plan',
    access: readAccess,
    summary: 'Voir ce qui serait prélevé',
    query: z.object({ accountId: Id, collectionOn: Day.optional() }),
    response: DebitPlan,
  }),
  list: defineEndpoint({
    method: 'GET',
    path: '/api/debit-runs',
    access: readAccess,
    summary: 'Lister les prélèvements',
    response: z.object({ items: z.array(DebitRun) }),
  }),
  announce: defineEndpoint({
    method: 'POST',
    path: '/api/debit-runs',
    access: writeAccess,
    summary: 'Annoncer un prélèvement à ceux qui seront débités',
    /** `except`: mandates to leave out this time. */
    body: z.strictObject({ accountId: Id, collectionOn: Day.optional(), except: z.array(Id).max(10_000) }),
    response: DebitRunDetail,
  }),
  get: defineEndpoint({
    method: 'GET',
    path: '/api/debit-runs/:id',
    access: readAccess,
    summary: 'Ouvrir un prélèvement',
    params,
    response: DebitRunDetail,
  }),
  prepare: defineEndpoint({
    method: 'POST',
    path: '/api/debit-runs/:id/file',
    access: writeAccess,
    summary: 'Préparer le fichier de prélèvement',
    params,
    body: versionBody,
    response: DebitRunDetail,
  }),
  file: defineEndpoint({
    method: 'GET',
    path: '/api/debit-runs/:id/file',
    access: readAccess,
    summary: 'Télécharger le fichier de prélèvement',
    params,
    response: { file: 'application/xml' },
  }),
  sent: defineEndpoint({
    method: 'POST',
    path: '/api/debit-runs/:id/sent',
    access: writeAccess,
    summary: 'Noter que le fichier de prélèvement est à la banque',
    params,
    body: versionBody,
    response: DebitRunDetail,
  }),
  cancel: defineEndpoint({
    method: 'POST',
    path: '/api/debit-runs/:id/cancel',
    access: writeAccess,
    summary: 'Annuler un prélèvement avant son envoi',
    params,
    body: versionBody,
    response: DebitRunDetail,
  }),
}
