import { z } from 'zod'
import { defineOpenEvent } from './event.ts'
import { Cents } from './money.ts'
import { Day, Id } from './primitives.ts'

const PAYOUT = '2b7f4c90-8d13-4e65-a9b2-6c0d5e8f1a37'
const RUN = 'd1a6e8b3-4f92-4c07-8e5d-9b3a7f2c6e14'
const DEBIT = '8e3c5d7a-1b64-4f29-b0a8-3d6e9c2f5b71'
const ACCOUNT = '6a9d2f84-c7e1-4b53-9d06-8f1e4a7b3c25'
const PARTY = '4f8b2d6c-a1e7-4590-b3c9-7d0e5a2f9b81'

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
