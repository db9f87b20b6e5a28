import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { InvoiceState } from './invoice-views.ts'
import { Cents, InvoiceKind } from './money.ts'
import { AddOnName, PlanChange, PlanName, PlanPeriod } from './plan-schemas.ts'
import { CompanyId, Day, Id, Instant, SuccessReply, Version } from './primitives.ts'

const OpenPlan = z.enum(['starter', 'professional'])
export const SubscriptionState = z.enum(['trial', 'active', 'ending', 'ended'])
export type SubscriptionState = z.infer<typeof SubscriptionState>
/** What may follow what. A plan is left at the end of what was paid, or at once where it is paid back. */
export const NEXT_STATES: Record<SubscriptionState, readonly SubscriptionState[]> = {
  trial: ['active'],
  active: ['ending', 'ended'],
  ending: ['active', 'ended'],
  ended: ['active'],
}

export const PlanPoints = z.object({ used: z.int(), limit: z.int().nullable() })
export const AddOn = z.object({
  id: Id,
  kind: AddOnName,
  price: Cents,
  orderedOn: Day,
  /** Of what is paid by the month: until when it is. */
  paidTo: Day.nullable(),
  state: z.enum(['ordered', 'running', 'ending', 'done']),
})
export type AddOn = z.infer<typeof AddOn>

export const Subscription = z.object({
  state: SubscriptionState,
  plan: PlanName.nullable(),
  period: PlanPeriod,
  /** Of a period, before tax. */
  price: Cents.nullable(),
  startedOn: Day.nullable(),
  paidFrom: Day.nullable(),
  paidTo: Day.nullable(),
  trialEndsAt: Instant.nullable(),
  readOnly: z.boolean(),
  /** The last day on which all is paid back; null where it has gone by. */
  moneyBackUntil: Day.nullable(),
  /** What follows at the end of the period. */
  next: z.object({ plan: PlanName, period: PlanPeriod }).nullable(),
  addOns: z.array(AddOn),
  changes: z.array(PlanChange),
  version: z.int(),
})
export type Subscription = z.infer<typeof Subscription>

export const PlanLine = z.object({ label: z.string(), from: Day, to: Day, net: Cents })
export const PlanQuote = z.object({
  /** The day it holds from: today, or the end of what is paid. */
  on: Day,
  now: z.boolean(),
  lines: z.array(PlanLine),
  net: Cents,
  tax: Cents,
  gross: Cents,
  /** Points beyond what the plan includes: as many must leave before it can begin. */
  tooMany: z.int(),
})
export type PlanQuote = z.infer<typeof PlanQuote>

const PlanChoice = z.object({ plan: OpenPlan, period: PlanPeriod })
const versionBody = z.strictObject({ version: Version })
const readAccess = { permission: 'subscription.read' } as const
const writeAccess = { permission: 'subscription.write' } as const
/** What is chosen, paid or ended here is asked for also where a company may only read. */
const ALLOWED_WHEN_LAPSED = true as const

export const PlatformInvoice = z.object({
  id: Id,
  number: z.string(),
  kind: InvoiceKind,
  label: z.string(),
  issuedOn: Day,
  dueOn: Day,
  net: Cents,
  gross: Cents,
  open: Cents,
  state: InvoiceState,
  hasXml: z.boolean(),
})
export type PlatformInvoice = z.infer<typeof PlatformInvoice>

export const Subscriber = z.object({
  companyId: z.int(),
  name: z.string(),
  state: SubscriptionState,
  readOnly: z.boolean(),
  plan: PlanName.nullable(),
  period: PlanPeriod,
  price: Cents.nullable(),
  trialEndsAt: Instant.nullable(),
  paidTo: Day.nullable(),
  points: PlanPoints,
  /** What is left to pay of its invoices. */
  open: Cents,
  addOns: z.array(AddOn),
  version: z.int(),
})
export type Subscriber = z.infer<typeof Subscriber>
const companyParams = z.object({ companyId: CompanyId })

export const subscription = {
  get: defineEndpoint({
    method: 'GET',
    path: '/api/subscription',
    access: readAccess,
    summary: 'Lire son abonnement',
    response: z.object({
      /** None where the installation sells no subscriptions: nothing is limited. */
      subscription: Subscription.nullable(),
      /** The company keeps the installation: nothing is asked of it. */
      keeper: z.boolean(),
      points: PlanPoints,
    }),
  }),
  quote: defineEndpoint({
    method: 'GET',
    path: '/api/subscription/quote',
    access: readAccess,
    summary: 'Voir ce que coûterait une formule',
    query: PlanChoice,
    response: PlanQuote,
  }),
  choose: defineEndpoint({
    method: 'PUT',
    path: '/api/subscription/plan',
    access: writeAccess,
    lapsed: ALLOWED_WHEN_LAPSED,
    summary: 'Choisir une formule',
    /** `net` is what was shown: another sum is not taken. */
    body: z.strictObject({ ...PlanChoice.shape, net: Cents, version: Version }),
    response: Subscription,
  }),
  leave: defineEndpoint({
    method: 'POST',
    path: '/api/subscription/leave',
    access: writeAccess,
    lapsed: ALLOWED_WHEN_LAPSED,
    summary: 'Arrêter l’abonnement à la fin de la période',
    body: versionBody,
    response: Subscription,
  }),
  resume: defineEndpoint({
    method: 'POST',
    path: '/api/subscription/resume',
    access: writeAccess,
    lapsed: ALLOWED_WHEN_LAPSED,
    summary: 'Garder la formule en cours',
    body: versionBody,
    response: Subscription,
  }),
  refund: defineEndpoint({
    method: 'POST',
    path: '/api/subscription/refund',
    access: writeAccess,
    lapsed: ALLOWED_WHEN_LAPSED,
    summary: 'Demander le remboursement de l’abonnement',
    body: versionBody,
    response: Subscription,
  }),
  order: defineEndpoint({
    method: 'POST',
    path: '/api/subscription/add-ons',
    access: writeAccess,
    lapsed: ALLOWED_WHEN_LAPSED,
    summary: 'Commander une option',
    body: z.strictObject({ kind: AddOnName, net: Cents }),
    response: AddOn,
  }),
  stop: defineEndpoint({
    method: 'DELETE',
    path: '/api/subscription/add-ons/:id',
    access: writeAccess,
    lapsed: ALLOWED_WHEN_LAPSED,
    summary: 'Arrêter une option à la fin du mois payé',
    params: z.object({ id: Id }),
    response: SuccessReply,
  }),
  invoices: defineEndpoint({
    method: 'GET',
    path: '/api/subscription/invoices',
    access: readAccess,
    summary: 'Lister les factures de l’abonnement',
    response: z.object({ items: z.array(PlatformInvoice) }),
  }),
  pdf: defineEndpoint({
    method: 'GET',
    path: '/api/subscription/invoices/:id/pdf',
    access: readAccess,
    summary: 'Télécharger une facture de l’abonnement',
    params: z.object({ id: Id }),
    response: { file: 'application/pdf' },
  }),
  xml: defineEndpoint({
    method: 'GET',
    path: '/api/subscription/invoices/:id/xml',
    access: readAccess,
    summary: 'Télécharger les données d’une facture de l’abonnement',
    params: z.object({ id: Id }),
    response: { file: 'application/xml' },
  }),
  companies: defineEndpoint({
    method: 'GET',
    path: '/api/installation/subscriptions',
    access: { permission: 'installation.read' },
    summary: 'Lister les abonnements des organisations',
    response: z.object({ items: z.array(Subscriber) }),
  }),
  grant: defineEndpoint({
    method: 'PUT',
    path: '/api/installation/subscriptions/:companyId/plan',
    access: { permission: 'installation.write' },
    reaches: 'installation',
    summary: 'Ouvrir la formule Enterprise à une organisation',
    params: companyParams,
    body: z.strictObject({ period: PlanPeriod, price: Cents.min(1).max(100_000_000), version: Version }),
    response: Subscriber,
  }),
  extend: defineEndpoint({
    method: 'PUT',
    path: '/api/installation/subscriptions/:companyId/trial',
    access: { permission: 'installation.write' },
    reaches: 'installation',
    summary: 'Prolonger l’essai d’une organisation',
    params: companyParams,
    body: z.strictObject({ lastDay: Day, version: Version }),
    response: Subscriber,
  }),
  deliver: defineEndpoint({
    method: 'POST',
    path: '/api/installation/subscriptions/:companyId/add-ons/:id/done',
    access: { permission: 'installation.write' },
    reaches: 'installation',
    summary: 'Noter qu’une option a été réalisée',
    params: z.object({ companyId: CompanyId, id: Id }),
    response: Subscriber,
  }),
}
