import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Cents } from './money.ts'
import { Day, Id } from './primitives.ts'

const Named = z.object({ id: Id, name: z.string() })
/** What somebody who collected for a producer owes it. */
export const PayoutDue = z.object({
  seller: Named.extend({ ibanEnd: z.string() }),
  holder: Named,
  /** Received on the accounts of the holder, less what was returned or paid back. */
  collected: Cents,
  /** Fees of the holder that were set off already. */
  setOff: Cents,
  /** Paid on, or on its way. */
  paid: Cents,
  /** What is left: below zero where too much went out. */
  due: Cents,
  /** Fees of the holder that are open, and come off first. */
  fees: Cents,
  /** What would be paid today. */
  payable: Cents,
  /** Why nothing can be paid, in words; empty where it can. */
  waits: z.string(),
})
export type PayoutDue = z.infer<typeof PayoutDue>

export const PayoutStatus = z.enum(['planned', 'filed', 'paid', 'cancelled'])
export type PayoutStatus = z.infer<typeof PayoutStatus>
export const PAYOUT_STATUS_LABELS: Record<PayoutStatus, string> = {
  planned: 'À mettre en fichier',
  filed: 'Fichier établi',
  paid: 'Viré',
  cancelled: 'Annulé',
}
export const Payout = z.object({
  id: Id,
  seller: Named,
  account: Named,
  amount: Cents,
  setOff: Cents,
  status: PayoutStatus,
  endToEndId: z.string(),
  messageId: z.string(),
  paidOn: Day.nullable(),
  bankReference: z.string(),
  createdOn: Day,
  by: z.string(),
  version: z.int(),
})
export type Payout = z.infer<typeof Payout>
const params = z.object({ id: Id })
const writeAccess = { permission: 'bank.write' } as const

export const payouts = {
  due: defineEndpoint({
    method: 'GET',
    path: '/api/payouts/due',
    access: { permission: 'bank.read' },
    summary: 'Voir ce qui est dû aux producteurs',
    response: z.object({ items: z.array(PayoutDue) }),
  }),
  list: defineEndpoint({
    method: 'GET',
    path: '/api/payouts',
    access: { permission: 'bank.read' },
    summary: 'Lister les reversements',
    response: z.object({ items: z.array(Payout) }),
  }),
  plan: defineEndpoint({
    method: 'POST',
    path: '/api/payouts',
    access: writeAccess,
    summary: 'Préparer des reversements, frais déduits',
    body: z.strictObject({
      accountId: Id,
      sellerIds: z.array(Id).min(1).max(500),
    }),
    response: z.object({ items: z.array(Payout), refused: z.array(z.object({ seller: z.string(), why: z.string() })) }),
  }),
  file: defineEndpoint({
    method: 'POST',
    path: '/api/payouts/files',
    access: writeAccess,
    summary: 'Établir le fichier de virements',
    body: z.strictObject({ accountId: Id, on: Day }),
    response: z.object({ messageId: z.string(), payouts: z.int(), amount: Cents }),
  }),
  download: defineEndpoint({
    method: 'GET',
    path: '/api/payouts/:id/file',
    access: { permission: 'bank.read' },
    summary: 'Télécharger le fichier de virements',
    params,
    response: { file: 'application/xml' },
  }),
  paid: defineEndpoint({
    method: 'POST',
    path: '/api/payouts/:id/paid',
    access: writeAccess,
    summary: 'Noter qu’un reversement est viré',
    params,
    body: z.strictObject({ on: Day, bankReference: z.string().trim().max(140).default(''), version: z.int().min(1) }),
    response: Payout,
  }),
  cancel: defineEndpoint({
    method: 'POST',
    path: '/api/payouts/:id/cancel',
    access: writeAccess,
    summary: 'Annuler un reversement',
    params,
    body: z.strictObject({ version: z.int().min(1) }),
    response: Payout,
  }),
}
