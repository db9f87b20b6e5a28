import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Cents } from './money.ts'
import { PaymentKind, PaymentMethod } from './payment-labels.ts'
import { Day, Id, ListQuery } from './primitives.ts'

const Named = z.object({ id: Id, name: z.string() })
const MatchedPart = z.object({ invoiceId: Id, number: z.string(), amount: Cents })
/** What it closes, and what is left of it for later. */
export const MatchedPayment = z.object({ matched: z.array(MatchedPart), advance: Cents })
export type MatchedPayment = z.infer<typeof MatchedPayment>

export const PaymentRow = z.object({
  id: Id,
  kind: PaymentKind,
  method: PaymentMethod,
  amount: Cents,
  bookedOn: Day,
  seller: Named,
  buyer: Named,
  /** The buyer is a producer who owes its fees. */
  producer: z.boolean(),
  note: z.string(),
  by: z.string(),
  matched: z.array(MatchedPart),
  /** What is left of it: an advance, or what is still owed of a charge. */
  open: Cents,
  /** When it was taken back. */
  reversedOn: Day.nullable(),
})
export type PaymentRow = z.infer<typeof PaymentRow>

export const AccountMovement = z.object({
  id: Id,
  of: z.enum(['invoice', 'payment']),
  side: z.enum(['debit', 'credit']),
  number: z.string(),
  kind: z.string(),
  method: z.string(),
  bookedOn: Day,
  due: Day,
  amount: Cents,
  open: Cents,
  balance: Cents,
})
export type AccountMovement = z.infer<typeof AccountMovement>

/** What a buyer owes one seller: below zero where the seller owes. */
export const BuyerAccount = z.object({ seller: Named, balance: Cents, movements: z.array(AccountMovement) })
export type BuyerAccount = z.infer<typeof BuyerAccount>

const PaymentInstructions = z.object({
  holder: z.string(),
  iban: z.string(),
  bic: z.string(),
  reference: z.string(),
  amount: Cents,
})
/** What closed a document: a payment, or a credit note. */
export const SettlingItem = z.object({
  id: Id,
  of: z.enum(['invoice', 'payment']),
  label: z.string(),
  bookedOn: Day,
  amount: Cents,
  /** It was taken back since. */
  undone: z.boolean(),
})
export type SettlingItem = z.infer<typeof SettlingItem>

const Amount = z.int().min(1, 'Un montant est au-dessus de zéro.').max(100_000_000, 'Un million d’euros au plus.')
const ReasonText = z.string().trim().min(5, 'Dites pourquoi en quelques mots (5 caractères au moins).').max(500)
const accountFields = { sellerId: Id, buyerId: Id }
/** What somebody saw come in: a transfer, a cheque, cash. */
export const ManualPayment = z.strictObject({
  ...accountFields,
  amount: Amount,
  method: PaymentMethod.extract(['transfer', 'cheque', 'cash']),
  bookedOn: Day,
  accountId: Id.nullable().default(null),
  note: z.string().trim().max(500).default(''),
  /** The documents it pays first, by their numbers. */
  references: z.array(z.string().max(40)).max(50).default([]),
})
export const PaymentQuery = ListQuery.extend({
  sellerId: Id.optional(),
  buyerId: Id.optional(),
  kind: PaymentKind.optional(),
  method: PaymentMethod.optional(),
  from: Day.optional(),
  to: Day.optional(),
})
const params = z.object({ id: Id })
const readAccess = { permission: 'payments.read', portal: true } as const
const writeAccess = { permission: 'payments.write' } as const

export const payments = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/payments',
    access: { permission: 'payments.read' },
    summary: 'Lister les paiements',
    query: PaymentQuery,
    response: z.object({
      items: z.array(PaymentRow),
      total: z.int(),
      totals: z.object({ received: Cents, returned: Cents, advance: Cents }),
    }),
  }),
  choices: defineEndpoint({
    method: 'GET',
    path: '/api/payments/choices',
    access: { permission: 'payments.read' },
    summary: 'Lister les comptes qui peuvent être payés',
    response: z.object({
      pairs: z.array(z.object({ seller: Named, buyer: Named, open: Cents })),
      accounts: z.array(Named.extend({ ownerId: Id })),
    }),
  }),
  proposal: defineEndpoint({
    method: 'GET',
    path: '/api/payments/proposal',
    access: { permission: 'payments.read' },
    summary: 'Voir ce qu’un paiement solderait',
    query: z.object({
      ...accountFields,
      amount: z.coerce.number().int().min(1).max(100_000_000),
      references: z.string().max(2000).optional(),
    }),
    response: MatchedPayment,
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/payments',
    access: writeAccess,
    summary: 'Enregistrer un paiement reçu',
    body: ManualPayment,
    response: PaymentRow,
  }),
  writeOff: defineEndpoint({
    method: 'POST',
    path: '/api/payments/write-offs',
    access: writeAccess,
    summary: 'Passer une somme en perte',
    body: z.strictObject({ invoiceId: Id, amount: Amount, reason: ReasonText }),
    response: PaymentRow,
  }),
  refund: defineEndpoint({
    method: 'POST',
    path: '/api/payments/refunds',
    access: writeAccess,
    summary: 'Rembourser un avoir ou une avance',
    body: z.strictObject({
      /** A credit note, or a payment of which something is left. */
      creditId: Id,
      amount: Amount,
      method: PaymentMethod.extract(['transfer', 'cheque', 'cash']),
      bookedOn: Day,
      accountId: Id.nullable().default(null),
      note: z.string().trim().max(500).default(''),
    }),
    response: PaymentRow,
  }),
  account: defineEndpoint({
    method: 'GET',
    path: '/api/payments/accounts/:id',
    access: readAccess,
    summary: 'Lire le compte d’un acheteur',
    params,
    response: z.object({ buyer: Named, accounts: z.array(BuyerAccount) }),
  }),
  ofInvoice: defineEndpoint({
    method: 'GET',
    path: '/api/payments/invoices/:id',
    access: readAccess,
    summary: 'Lire ce qui a réglé une facture',
    params,
    response: z.object({ open: Cents, closings: z.array(SettlingItem), howToPay: PaymentInstructions.nullable() }),
  }),
  undo: defineEndpoint({
    method: 'POST',
    path: '/api/payments/:id/undo',
    access: writeAccess,
    summary: 'Annuler un paiement',
    params,
    body: z.strictObject({ reason: ReasonText }),
    response: PaymentRow,
  }),
}
