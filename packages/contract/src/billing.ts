import { z } from 'zod'
import { IssuedAmount, MonthPreview, MonthTotals, OpenDocument, SimulatedMember } from './billing-documents.ts'
import { defineEndpoint } from './endpoint.ts'
import { Cents } from './money.ts'
import { Flag, Id, Instant } from './primitives.ts'

const Month = z.string().regex(/^(19|20)\d{2}-(0[1-9]|1[0-2])$/, 'Un mois s’écrit avec son année, par exemple 2026-05.')
/** Open while something is missing, ready to be closed, closed (frozen), issued (documents have numbers). */
/** `elsewhere`: the month was billed in other software, whose documents were imported. */
export const MonthState = z.enum(['open', 'ready', 'elsewhere', 'closed', 'issued'])
export type MonthState = z.infer<typeof MonthState>

export const BillingMonth = z.object({
  month: Month,
  state: MonthState,
  totals: MonthTotals.nullable(),
  /** What prevents the next step, in one sentence; empty if nothing does. */
  missing: z.string(),
  closedAt: Instant.nullable(),
  closedBy: z.string(),
  reason: z.string(),
  issuedAt: Instant.nullable(),
  issuedBy: z.string(),
})
export type BillingMonth = z.infer<typeof BillingMonth>

export const CheckLevel = z.enum(['ok', 'warning', 'blocking'])
export type CheckLevel = z.infer<typeof CheckLevel>
/** A line of the checklist: its finding, and the screen where it is solved. */
export const CheckItem = z.object({
  code: z.string(),
  level: CheckLevel,
  sentence: z.string(),
  href: z.string().nullable(),
  /** Information only: the month can be closed without a reason for it. */
  advice: z.boolean().optional(),
})
export type CheckItem = z.infer<typeof CheckItem>

export const MonthCheck = BillingMonth.extend({
  operationId: Id,
  operation: z.string(),
  items: z.array(CheckItem),
  canClose: z.boolean(),
  /** With provisional figures or a warning, closing requires a reason. */
  needsReason: z.boolean(),
  /** Issued documents of the month that have not been sent. */
  unsent: z.int().optional(),
})
export type MonthCheck = z.infer<typeof MonthCheck>

const Amount = z.object({ wh: z.int(), net: Cents, gross: Cents })
export const ToBill = z.object({
  months: z.array(
    Amount.extend({
      operation: z.object({ id: Id, name: z.string() }),
      month: Month,
      state: z.enum(['ready', 'closed']),
      documents: z.int(),
    }),
  ),
  buyers: z.array(Amount.extend({ id: Id })),
  total: Amount,
  /** Number of further months to bill, beyond those that were computed. */
  more: z.int(),
})
export type ToBill = z.infer<typeof ToBill>

const params = z.object({ operationId: Id, month: Month })
const itemPath = '/api/billing/months/:operationId/:month'
/** For an index announced but not yet published, its last value is used. */
const choices = z.object({ acceptLastIndex: Flag.optional() })
const CloseReason = z
  .string()
  .trim()
  .min(10, 'Dites en quelques mots pourquoi ce mois est clos ainsi (10 caractères au moins).')
  .max(1000)

export const billing = {
  months: defineEndpoint({
    method: 'GET',
    path: '/api/billing/months',
    access: { permission: 'billing.read' },
    summary: 'Lister les mois d’une opération et leur état de facturation',
    query: z.object({ operationId: Id }),
    response: z.object({ items: z.array(BillingMonth) }),
  }),
  /** Months that are closed and not issued, or ready to be closed, since the first one that was issued. */
  toBill: defineEndpoint({
    method: 'GET',
    path: '/api/billing/to-bill',
    access: { permission: 'billing.read' },
    summary: 'Lire ce qui reste à facturer, par mois et par acheteur',
    query: z.object({ operationId: Id.optional() }),
    response: ToBill,
  }),
  check: defineEndpoint({
    method: 'GET',
    path: itemPath,
    access: { permission: 'billing.read' },
    summary: 'Contrôler un mois avant sa clôture',
    params,
    query: choices,
    response: MonthCheck,
  }),
  preview: defineEndpoint({
    method: 'GET',
    path: `${itemPath}/preview`,
    access: { permission: 'billing.read' },
    summary: 'Prévisualiser les documents d’un mois',
    params,
    query: choices,
    response: MonthPreview,
  }),
  document: defineEndpoint({
    method: 'GET',
    path: `${itemPath}/document`,
    access: { permission: 'billing.read' },
    summary: 'Ouvrir un document d’un mois, ligne par ligne et jour par jour',
    params,
    query: choices.extend({ seller: Id, buyer: Id, apart: Flag.optional() }),
    response: OpenDocument,
  }),
  /** A dry run of closing a month that is over: everything is computed and nothing is written. */
  rehearsal: defineEndpoint({
    method: 'GET',
    path: `${itemPath}/rehearsal`,
    access: { permission: 'billing.read' },
    summary: 'Répéter la clôture d’un mois, sans rien écrire',
    params,
    query: choices,
    response: z.object({
      check: MonthCheck,
      preview: MonthPreview.nullable(),
      /** As closed and corrected so far; null where the month was not closed. */
      standing: z.array(IssuedAmount).nullable(),
    }),
  }),
  close: defineEndpoint({
    method: 'POST',
    path: `${itemPath}/close`,
    access: { permission: 'billing.close' },
    summary: 'Clôturer un mois',
    params,
    body: z.strictObject({ reason: CloseReason.optional(), acceptLastIndex: z.boolean().default(false) }),
    response: BillingMonth,
    timeout: 120,
  }),
  issue: defineEndpoint({
    method: 'POST',
    path: `${itemPath}/issue`,
    access: { permission: 'billing.close' },
    summary: 'Émettre les documents d’un mois clos',
    params,
    response: z.object({ issued: z.int(), already: z.int() }),
    timeout: 120,
  }),
  /** Sends the issued documents that nobody received yet: one message per buyer, even from several sellers. */
  send: defineEndpoint({
    method: 'POST',
    path: `${itemPath}/send`,
    access: { permission: 'invoices.send' },
    summary: 'Envoyer les documents d’un mois émis',
    params,
    response: z.object({ sent: z.int(), failed: z.int(), mails: z.int() }),
    timeout: 120,
  }),
  simulate: defineEndpoint({
    method: 'POST',
    path: '/api/billing/simulate',
    access: { permission: 'billing.read' },
    summary: 'Simuler un tarif sur un mois passé',
    body: z.strictObject({ operationId: Id, month: Month, tariffId: Id }),
    response: z.object({
      members: z.array(SimulatedMember),
      totals: z.object({ net: Cents, gross: Cents, simulatedNet: Cents, simulatedGross: Cents }),
    }),
    audit: 'none',
  }),
}
