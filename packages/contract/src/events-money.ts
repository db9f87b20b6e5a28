import { z } from 'zod'
import { defineOpenEvent } from './event.ts'
import { Cents, InvoiceKind } from './money.ts'
import { PaymentKind, PaymentMethod } from './payment-labels.ts'
import { Day, Id } from './primitives.ts'

const OPERATION = '5b0c1d1e-7a3f-4c59-9f0a-2d1c8e4b6a71'
const MONTH = '7c3e5a91-d4f2-4b68-8a0d-1e9f6b2c4d83'
const INVOICE = 'e8a1c4d7-5b2f-4936-9d8e-3f7a0c6b1e52'
const REVIEW = 'b6d9f2a4-8c1e-4753-a0b7-9e4d2f5c8a16'
const PARTY = '4f8b2d6c-a1e7-4590-b3c9-7d0e5a2f9b81'

const PAYMENT = '9d2c7e15-6b40-4f8a-9c31-5e0a8b7d4f26'

const paymentFields = { paymentId: Id, sellerId: Id, buyerId: Id.nullable(), clientSellerId: Id.nullable() }
const paidSample = { paymentId: PAYMENT, sellerId: PARTY, buyerId: PARTY, clientSellerId: null }
const Part = z.object({ invoiceId: Id, amount: Cents })

const mandate = { mandateId: Id, creditorId: Id, participantId: Id }
const mandateSample = { mandateId: REVIEW, creditorId: PARTY, participantId: PARTY }

const month = { monthId: Id, operationId: Id, month: Day }
const monthSample = { monthId: MONTH, operationId: OPERATION, month: '2026-05-01' }
const days = { from: '2026-05-07', to: null }

export const moneyEvents = {
  'tariff.adopted': defineOpenEvent({
    label: 'Tarif adopté',
    data: z.object({ tariffId: Id, operationId: Id, days: z.object({ from: Day, to: Day.nullable() }) }),
    sample: { tariffId: PARTY, operationId: OPERATION, days },
  }),
  'month.closed': defineOpenEvent({
    label: 'Mois clôturé',
    data: z.object({ ...month, net: Cents, documents: z.int() }),
    sample: { ...monthSample, net: 418_763, documents: 37 },
  }),
  'invoice.issued': defineOpenEvent({
    label: 'Facture émise',
    data: z.object({
      invoiceId: Id,
      /** Null where it is for no operation, such as a subscription. */
      operationId: Id.nullable(),
      sellerId: Id,
      buyerId: Id.nullable(),
      kind: InvoiceKind,
      number: z.string(),
      gross: Cents,
    }),
    sample: {
      invoiceId: INVOICE,
      operationId: OPERATION,
      sellerId: PARTY,
      buyerId: PARTY,
      kind: 'invoice',
      number: 'SOL2026-00042',
      gross: 2317,
    },
  }),
  'review.raised': defineOpenEvent({
    label: 'Régularisation à examiner',
    data: z.object({ ...month, reviewId: Id }),
    sample: { ...monthSample, reviewId: REVIEW },
  }),
  'payment.received': defineOpenEvent({
    label: 'Paiement reçu',
    data: z.object({
      ...paymentFields,
      kind: PaymentKind,
      method: PaymentMethod,
      amount: Cents,
      bookedOn: Day,
      matched: z.array(Part),
      advance: Cents,
    }),
    sample: {
      ...paidSample,
      kind: 'receipt',
      method: 'transfer',
      amount: 2400,
      bookedOn: '2026-06-09',
      matched: [{ invoiceId: INVOICE, amount: 2317 }],
      advance: 83,
    },
  }),
  'payment.returned': defineOpenEvent({
    label: 'Paiement repris',
    data: z.object({ ...paymentFields, kind: PaymentKind, amount: Cents, bookedOn: Day, reopened: z.array(Part) }),
    sample: {
      ...paidSample,
      kind: 'return',
      amount: 2317,
      bookedOn: '2026-06-24',
      reopened: [{ invoiceId: INVOICE, amount: 2317 }],
    },
  }),
  'payment.failed': defineOpenEvent({
    label: 'Paiement en ligne refusé',
    data: z.object({ onlineId: Id, invoiceId: Id, amount: Cents, reason: z.string() }),
    sample: { onlineId: PAYMENT, invoiceId: INVOICE, amount: 2317, reason: 'provision insuffisante' },
  }),
  'reminder.sent': defineOpenEvent({
    label: 'Relance envoyée',
    data: z.object({ reminderId: Id, sellerId: Id, buyerId: Id, level: z.int(), open: Cents, sentOn: Day }),
    sample: { reminderId: REVIEW, sellerId: PARTY, buyerId: PARTY, level: 2, open: 4634, sentOn: '2026-07-06' },
  }),
  'mandate.signed': defineOpenEvent({
    label: 'Mandat de prélèvement signé',
    data: z.object({ ...mandate, method: z.string(), signedOn: Day }),
    sample: { ...mandateSample, method: 'screen', signedOn: '2026-05-19' },
  }),
  'mandate.changed': defineOpenEvent({
    label: 'Compte d’un mandat changé',
    data: z.object(mandate),
    sample: mandateSample,
  }),
  'mandate.stopped': defineOpenEvent({
    label: 'Mandat de prélèvement arrêté',
    data: z.object({ ...mandate, status: z.enum(['stopped', 'revoked', 'lapsed', 'used']) }),
    sample: { ...mandateSample, status: 'revoked' },
  }),
  'mandate.resumed': defineOpenEvent({
    label: 'Mandat de prélèvement rétabli',
    data: z.object(mandate),
    sample: mandateSample,
  }),
  'mandate.lapse-approached': defineOpenEvent({
    label: 'Caducité d’un mandat proche',
    data: z.object({ ...mandate, on: Day }),
    sample: { ...mandateSample, on: '2026-07-18' },
  }),
}

const PAYOUT = '2b7f4c90-8d13-4e65-a9b2-6c0d5e8f1a37'
const RUN = 'd1a6e8b3-4f92-4c07-8e5d-9b3a7f2c6e14'
const DEBIT = '8e3c5d7a-1b64-4f29-b0a8-3d6e9c2f5b71'
const ACCOUNT = '6a9d2f84-c7e1-4b53-9d06-8f1e4a7b3c25'

const payout = z.object({ payoutId: Id, sellerId: Id, accountId: Id, amount: Cents, setOff: Cents })
const payoutSample = { payoutId: PAYOUT, sellerId: PARTY, accountId: ACCOUNT, amount: 45_902, setOff: 4105 }

const run = z.object({ runId: Id, accountId: Id, collectionOn: Day, debits: z.int(), total: Cents })
const runSample = { runId: RUN, accountId: ACCOUNT, collectionOn: '2026-06-15', debits: 37, total: 86_429 }

const debit = z.object({ debitId: Id, runId: Id, mandateId: Id, amount: Cents, code: z.string() })
const debitSample = { debitId: DEBIT, runId: RUN, mandateId: PARTY, amount: 2317, code: 'AM04' }

/** Orders sent to the bank and their results: transfers to producers, and direct debits by day. */
export const cashEvents = {
  'payout.planned': defineOpenEvent({ label: 'Reversement préparé', data: payout, sample: payoutSample }),
  'payout.filed': defineOpenEvent({
    label: 'Fichier de reversement établi',
    data: payout.extend({ messageId: z.string(), on: Day }),
    sample: { ...payoutSample, messageId: 'RV-3F81C07A-5D42-4E', on: '2026-06-18' },
  }),
  'payout.transferred': defineOpenEvent({
    label: 'Reversement viré',
    data: payout.extend({ on: Day }),
    sample: { ...payoutSample, on: '2026-06-18' },
  }),
  'payout.reopened': defineOpenEvent({ label: 'Virement d’un reversement repris', data: payout, sample: payoutSample }),
  'payout.cancelled': defineOpenEvent({ label: 'Reversement annulé', data: payout, sample: payoutSample }),
  'debits.announced': defineOpenEvent({ label: 'Prélèvements annoncés', data: run, sample: runSample }),
  'debits.filed': defineOpenEvent({ label: 'Fichier de prélèvements établi', data: run, sample: runSample }),
  'debits.sent': defineOpenEvent({ label: 'Prélèvements remis à la banque', data: run, sample: runSample }),
  'debits.cancelled': defineOpenEvent({ label: 'Prélèvements annulés', data: run, sample: runSample }),
  'debit.returned': defineOpenEvent({
    label: 'Prélèvement rejeté',
    data: debit.extend({ on: Day }),
    sample: { ...debitSample, on: '2026-06-17' },
  }),
  'debit.return-cancelled': defineOpenEvent({
    label: 'Rejet d’un prélèvement repris',
    data: debit,
    sample: debitSample,
  }),
}

const EXPORT = '0c5e8a37-9f24-4d61-8b7e-2a4c6d9f1e83'

const issuedExport = z.object({ exportId: Id, operationId: Id, kind: z.string(), period: z.string(), number: z.int() })
const issuedExportSample = { exportId: EXPORT, operationId: OPERATION, kind: 'movements', period: '2026-06', number: 2 }

/**
 * Files for the administration and the distributor, and yearly documents of participants. The recipient is not
 * included: it may name a person.
 */
export const declarationEvents = {
  'declaration.issued': defineOpenEvent({
    label: 'Déclaration établie',
    data: z.object({
      declarationId: Id,
      kind: z.string(),
      sellerId: Id.nullable(),
      participantId: Id.nullable(),
      from: Day,
      to: Day,
      number: z.int(),
    }),
    sample: {
      declarationId: EXPORT,
      kind: 'vat',
      sellerId: PARTY,
      participantId: null,
      from: '2026-01-01',
      to: '2027-01-01',
      number: 1,
    },
  }),
  'regulatory.issued': defineOpenEvent({
    label: 'Export réglementaire établi',
    data: issuedExport,
    sample: issuedExportSample,
  }),
  'regulatory.sent': defineOpenEvent({
    label: 'Envoi réglementaire noté',
    data: issuedExport.extend({ on: Day, channel: z.string() }),
    sample: { ...issuedExportSample, on: '2026-06-29', channel: 'mail' },
  }),
}
