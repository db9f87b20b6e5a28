import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import {
  Account,
  AnnualMonth,
  BilledTotals,
  Channel,
  DeliveryReport,
  InvoiceDetail,
  InvoiceRow,
  InvoiceState,
  InvoiceTotals,
  LineDay,
  LineStep,
  RecomputedPart,
} from './invoice-views.ts'
import { Cents, InvoiceKind } from './money.ts'
import { Day, Id, ListQuery } from './primitives.ts'

const filters = {
  operationId: Id.optional(),
  sellerId: Id.optional(),
  buyerId: Id.optional(),
  /** First day of a month supplied. */
  month: Day.optional(),
  kind: InvoiceKind.optional(),
  state: InvoiceState.optional(),
}
export const InvoiceQuery = ListQuery.extend(filters)
export const ArchiveQuery = z.object({ ...filters, q: ListQuery.shape.q })
const params = z.object({ id: Id })
const Named = z.object({ id: Id, name: z.string() })
const readAccess = { permission: 'invoices.read', portal: true } as const
const Annual = z.object({ buyerId: Id, year: z.coerce.number().int().min(2000).max(2100) })

export const invoices = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/invoices',
    access: readAccess,
    summary: 'Lister les factures et leur solde',
    query: InvoiceQuery,
    response: z.object({ items: z.array(InvoiceRow), total: z.int(), totals: InvoiceTotals }),
  }),
  choices: defineEndpoint({
    method: 'GET',
    path: '/api/invoices/choices',
    access: { permission: 'invoices.read' },
    summary: 'Lister ce par quoi les factures se filtrent',
    response: z.object({ operations: z.array(Named), sellers: z.array(Named), months: z.array(Day) }),
  }),
  archive: defineEndpoint({
    method: 'GET',
    path: '/api/invoices/archive',
    access: { permission: 'invoices.read' },
    summary: 'Télécharger les factures dans une archive',
    query: ArchiveQuery,
    response: { file: 'application/zip' },
    timeout: 600,
  }),
  accounts: defineEndpoint({
    method: 'GET',
    path: '/api/invoices/accounts',
    access: { permission: 'invoices.read' },
    summary: 'Lister les comptes des acheteurs',
    query: z.object({ q: ListQuery.shape.q }),
    response: z.object({ items: z.array(Account) }),
  }),
  /** What participants were invoiced, by month supplied; the organiser's own invoices to producers are not among it. */
  figures: defineEndpoint({
    method: 'GET',
    path: '/api/invoices/figures',
    access: { permission: 'invoices.read' },
    summary: 'Lire ce qui a été facturé, par mois fourni',
    query: z.object({ from: Day, to: Day, operationId: Id.optional() }),
    response: z.object({
      /** The whole months that the days asked for touch. */
      from: Day,
      to: Day,
      /** Nothing was ever issued: there is nothing to show. */
      none: z.boolean(),
      months: z.array(BilledTotals.extend({ month: Day })),
      total: BilledTotals,
      /** The same months a year earlier; null where nothing was issued for them. */
      lastYear: BilledTotals.nullable(),
      /** Of all documents, whatever their month. */
      open: Cents,
      overdue: Cents,
    }),
  }),
  annual: defineEndpoint({
    method: 'GET',
    path: '/api/invoices/annual',
    access: readAccess,
    summary: 'Lire le récapitulatif annuel d’un acheteur',
    query: Annual,
    response: z.object({
      buyer: Named,
      year: z.int(),
      months: z.array(AnnualMonth),
      totals: z.object({ wh: z.int(), net: Cents, tax: Cents, gross: Cents }),
    }),
  }),
  annualFile: defineEndpoint({
    method: 'GET',
    path: '/api/invoices/annual/file',
    access: readAccess,
    summary: 'Télécharger le récapitulatif annuel',
    query: Annual,
    response: { file: 'text/csv' },
  }),
  get: defineEndpoint({
    method: 'GET',
    path: '/api/invoices/:id',
    access: readAccess,
    summary: 'Lire une facture',
    params,
    response: InvoiceDetail,
  }),
  pdf: defineEndpoint({
    method: 'GET',
    path: '/api/invoices/:id/pdf',
    access: readAccess,
    summary: 'Télécharger une facture en PDF',
    params,
    response: { file: 'application/pdf' },
  }),
  xml: defineEndpoint({
    method: 'GET',
    path: '/api/invoices/:id/xml',
    access: readAccess,
    summary: 'Télécharger une facture en XML',
    params,
    response: { file: 'application/xml' },
  }),
  /** One cover for what several sellers ask of one buyer: no invoice, and no number. */
  dueNotice: defineEndpoint({
    method: 'GET',
    path: '/api/invoices/:id/due-notice',
    access: readAccess,
    summary: 'Télécharger l’avis d’échéance des factures émises ensemble',
    params,
    response: { file: 'application/pdf' },
  }),
  recompute: defineEndpoint({
    method: 'GET',
    path: '/api/invoices/:id/recompute',
    access: readAccess,
    summary: 'Recalculer une facture pas à pas',
    params,
    response: z.object({ same: z.boolean(), parts: z.array(RecomputedPart) }),
  }),
  explain: defineEndpoint({
    method: 'GET',
    path: '/api/invoices/:id/explanation',
    access: readAccess,
    summary: 'Expliquer une facture en mots simples',
    params,
    response: z.object({ sentences: z.array(z.object({ about: z.string(), text: z.string() })) }),
  }),
  lineDays: defineEndpoint({
    method: 'GET',
    path: '/api/invoices/:id/lines/:line/days',
    access: readAccess,
    summary: 'Ouvrir une ligne jour par jour',
    params: params.extend({ line: z.coerce.number().int().min(0).max(100_000) }),
    response: z.object({ items: z.array(LineDay), wattMinutes: z.string() }),
  }),
  lineSteps: defineEndpoint({
    method: 'GET',
    path: '/api/invoices/:id/lines/:line/days/:day',
    access: readAccess,
    summary: 'Ouvrir un jour d’une ligne, quart d’heure par quart d’heure',
    params: params.extend({ line: z.coerce.number().int().min(0).max(100_000), day: Day }),
    response: z.object({
      /** None where the run behind the day is gone. */
      items: z.array(LineStep),
      minutes: z.int(),
      wh: z.int(),
      amount: z.int(),
      key: z.object({ number: z.int(), label: z.string(), method: z.string() }).nullable(),
    }),
  }),
  send: defineEndpoint({
    method: 'POST',
    path: '/api/invoices/:id/send',
    access: { permission: 'invoices.send' },
    summary: 'Envoyer une facture',
    params,
    /** Without a channel, the one that the buyer asked for. */
    body: z.strictObject({ channel: Channel.optional() }),
    response: InvoiceDetail,
  }),
  follow: defineEndpoint({
    method: 'POST',
    path: '/api/invoices/:id/deliveries',
    access: { permission: 'invoices.send' },
    summary: 'Noter ce que devient une facture déposée',
    params,
    body: DeliveryReport,
    response: InvoiceDetail,
  }),
}
