import { z } from 'zod'
import { defineEvent } from './event.ts'
import { Cents } from './money.ts'
import { Day, Id } from './primitives.ts'
import { AddOnName, PlanChange, PlanName, PlanPeriod } from './subscription-words.ts'

const INVOICE = '6c1f0e7a-9b34-4d58-8e21-7a5d3c9f0b46'

/** Subscription of a company, and amounts requested for it. */
export const subscriptionEvents = {
  'trial.warned': defineEvent({
    label: 'Fin d’essai annoncée',
    data: z.object({ daysLeft: z.int(), lastDay: Day }),
    sample: { daysLeft: 7, lastDay: '2026-06-30' },
  }),
  'subscription.changed': defineEvent({
    label: 'Abonnement modifié',
    data: z.object({ kind: PlanChange.shape.kind, plan: PlanName, period: PlanPeriod, on: Day }),
    sample: { kind: 'chosen' as const, plan: 'professional' as const, period: 'month' as const, on: '2026-06-18' },
  }),
  'subscription.invoiced': defineEvent({
    label: 'Facture d’abonnement émise',
    data: z.object({ invoiceId: Id, number: z.string(), gross: Cents, credit: z.boolean() }),
    sample: { invoiceId: INVOICE, number: 'ABO2026-00007', gross: 17_880, credit: false },
  }),
  'subscription.ordered': defineEvent({
    label: 'Option d’abonnement commandée',
    data: z.object({ addOnId: Id, kind: AddOnName }),
    sample: { addOnId: INVOICE, kind: 'training' as const },
  }),
}
