import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Cents } from './money.ts'
import {
  OnlineCheckout,
  OnlineMethod,
  OnlinePayment,
  OnlineProvider,
  PaymentEnvironment,
  TestPayment,
  UnmatchedNotice,
} from './online-views.ts'
import { CompanyId, Id, SuccessReply, Version } from './primitives.ts'

const params = z.object({ id: Id })
const invoiceParams = z.object({ invoiceId: Id })
const Key = z
  .string()
  .trim()
  .regex(/^(?:[rs]k_(?:test|live)_\w{6,250})?$/, 'Une clé secrète est attendue, par exemple sk_test_51Hx….')
const Secret = z
  .string()
  .trim()
  .regex(/^(?:whsec_[\w+/=]{6,250})?$/, 'Un secret de webhook est attendu, par exemple whsec_8f2a….')

const providerFields = {
  /** Also for sellers who have no account of their own: the money is then held for them. */
  everyone: z.boolean(),
  card: z.boolean(),
  debit: z.boolean(),
  /** Empty leaves what is there: neither is shown again. */
  key: Key.default(''),
  /** Empty: the product asks the provider for its messages by itself. */
  webhookSecret: Secret.default(''),
}
const hasPaymentMethod = ({ card, debit }: { card: boolean; debit: boolean }) => card || debit
const NO_METHOD_ISSUE = { path: ['card'], message: 'Choisissez au moins un moyen de paiement.' }
export const NewOnlineProvider = z
  .strictObject({ ownerId: Id, environment: PaymentEnvironment, ...providerFields })
  .refine(hasPaymentMethod, NO_METHOD_ISSUE)
export const OnlineProviderUpdate = z
  .strictObject({ ...providerFields, version: Version })
  .refine(hasPaymentMethod, NO_METHOD_ISSUE)
const PayOnlineInput = z.strictObject({
  method: OnlineMethod,
  /** What the payer was shown: another amount is refused, and said. */
  amount: Cents.min(1),
})
export const RefundOnlineInput = z.strictObject({ amount: Cents.min(1) })

const readAccess = { permission: 'payments.read', portal: true } as const
const payAccess = { permission: 'payments.write', portal: true } as const

export const online = {
  providers: defineEndpoint({
    method: 'GET',
    path: '/api/online/providers',
    access: { permission: 'bank.read' },
    summary: 'Lister les prestataires de paiement en ligne',
    response: z.object({
      items: z.array(OnlineProvider),
      owners: z.array(z.object({ id: Id, name: z.string() })),
      environments: z.array(PaymentEnvironment),
    }),
  }),
  addProvider: defineEndpoint({
    method: 'POST',
    path: '/api/online/providers',
    access: { permission: 'bank.write' },
    summary: 'Brancher un prestataire de paiement en ligne',
    body: NewOnlineProvider,
    response: OnlineProvider,
  }),
  updateProvider: defineEndpoint({
    method: 'PATCH',
    path: '/api/online/providers/:id',
    access: { permission: 'bank.write' },
    summary: 'Modifier un prestataire de paiement en ligne',
    params,
    body: OnlineProviderUpdate,
    response: OnlineProvider,
  }),
  closeProvider: defineEndpoint({
    method: 'DELETE',
    path: '/api/online/providers/:id',
    access: { permission: 'bank.write' },
    summary: 'Débrancher un prestataire de paiement en ligne',
    params,
    response: SuccessReply,
  }),
  testProvider: defineEndpoint({
    method: 'POST',
    path: '/api/online/providers/:id/test',
    access: { permission: 'bank.write' },
    summary: 'Essayer la connexion au prestataire de paiement',
    params,
    response: OnlineProvider,
  }),
  /** The body is signed as it is written: nothing of it may be read before its bytes were checked. */
  webhook: defineEndpoint({
    method: 'POST',
    path: '/api/online/webhooks/:companyId/:id',
    access: 'public',
    summary: 'Recevoir un message du prestataire de paiement',
    params: z.object({ companyId: CompanyId, id: Id }),
    upload: 400_000,
    signed: true,
    audit: 'own',
    response: z.object({ received: z.enum(['done', 'again', 'aside']) }),
  }),
  sellers: defineEndpoint({
    method: 'GET',
    path: '/api/online/sellers',
    access: readAccess,
    summary: 'Lister les vendeurs que l’on peut payer en ligne',
    response: z.object({ sellerIds: z.array(Id) }),
  }),
  checkout: defineEndpoint({
    method: 'GET',
    path: '/api/online/checkout/:invoiceId',
    access: readAccess,
    summary: 'Lire ce qu’une facture demande de payer en ligne',
    params: invoiceParams,
    response: OnlineCheckout,
  }),
  pay: defineEndpoint({
    method: 'POST',
    path: '/api/online/checkout/:invoiceId',
    access: payAccess,
    lapsed: true,
    summary: 'Ouvrir le paiement en ligne d’une facture',
    params: invoiceParams,
    body: PayOnlineInput,
    response: OnlinePayment,
  }),
  payments: defineEndpoint({
    method: 'GET',
    path: '/api/online/payments',
    access: { permission: 'payments.read' },
    summary: 'Lister les paiements en ligne',
    response: z.object({ items: z.array(OnlinePayment) }),
  }),
  payment: defineEndpoint({
    method: 'GET',
    path: '/api/online/payments/:id',
    access: readAccess,
    summary: 'Suivre un paiement en ligne',
    params,
    response: OnlinePayment,
  }),
  cancel: defineEndpoint({
    method: 'POST',
    path: '/api/online/payments/:id/cancel',
    access: payAccess,
    lapsed: true,
    summary: 'Abandonner un paiement en ligne',
    params,
    response: OnlinePayment,
  }),
  refund: defineEndpoint({
    method: 'POST',
    path: '/api/online/payments/:id/refund',
    access: { permission: 'payments.write' },
    summary: 'Rembourser un paiement en ligne',
    params,
    body: RefundOnlineInput,
    response: OnlinePayment,
  }),
  letters: defineEndpoint({
    method: 'GET',
    path: '/api/online/letters',
    access: { permission: 'bank.read' },
    summary: 'Lister les messages sans paiement connu',
    response: z.object({ items: z.array(UnmatchedNotice) }),
  }),
  settleLetter: defineEndpoint({
    method: 'POST',
    path: '/api/online/letters/:id/settle',
    access: { permission: 'bank.write' },
    summary: 'Classer un message du prestataire',
    params,
    body: z.strictObject({
      note: z.string().trim().min(3, 'Dites en quelques mots ce que vous en avez fait.').max(300),
    }),
    response: SuccessReply,
  }),
  tryPay: defineEndpoint({
    method: 'POST',
    path: '/api/online/trials',
    access: 'public',
    summary: 'Essayer un paiement sur le bac à sable',
    body: z.strictObject({ method: OnlineMethod }),
    audit: 'none',
    response: TestPayment,
  }),
  trial: defineEndpoint({
    method: 'GET',
    path: '/api/online/trials/:id',
    access: 'public',
    summary: 'Suivre un paiement d’essai',
    params: z.object({ id: z.string().regex(/^cs_test_[0-9a-f]{10,60}$/) }),
    response: TestPayment,
  }),
}
