import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { BuyerKind, Cents } from './money.ts'
import { Day, Id, Instant, ListQuery } from './primitives.ts'

export const REMINDER_LEVEL_LABELS: Record<number, string> = {
  1: 'Rappel',
  2: 'Relance',
  3: 'Mise en demeure',
  4: 'Dossier',
}
/** From this level on a person says that it is to be sent. */
export const FORMAL_NOTICE_LEVEL = 3
export const HoldKind = z.enum(['dispute', 'promise', 'schedule'])
export type HoldKind = z.infer<typeof HoldKind>
export const HOLD_KIND_LABELS: Record<HoldKind, string> = {
  dispute: 'Litige',
  promise: 'Promesse de paiement',
  schedule: 'Échéancier',
}

const Named = z.object({ id: Id, name: z.string() })
const DueItem = z.object({ id: Id, number: z.string(), due: Day, open: Cents, level: z.int() })
/** What may be asked of a business on top, shown before it is claimed. */
export const LateFees = z.object({ indemnity: Cents, interest: Cents })

/** An account with something overdue: what is to be sent to it today, or why nothing is. */
export const DueAccount = z.object({
  seller: Named,
  buyer: Named.extend({ kind: BuyerKind, email: z.string() }),
  overdue: Cents,
  /** Days since the oldest due date. */
  late: z.int(),
  /** Null where nothing is due today. */
  level: z.int().nullable(),
  items: z.array(DueItem),
  /** What stops it, in words; empty where nothing does. */
  stopped: z.string(),
  last: z.object({ level: z.int(), sentOn: Day }).nullable(),
  /** Businesses alone. */
  fees: LateFees.nullable(),
})
export type DueAccount = z.infer<typeof DueAccount>

/** All that a reminder says, as it was written. */
export const ReminderSnapshot = z.object({
  title: z.string(),
  text: z.string(),
  seller: z.object({ name: z.string(), address: z.string(), email: z.string(), phone: z.string() }),
  buyer: z.object({ name: z.string(), address: z.string() }),
  items: z.array(DueItem),
  open: Cents,
  fees: LateFees.nullable(),
  before: z.array(z.object({ level: z.int(), sentOn: Day, open: Cents })),
})
export type ReminderSnapshot = z.infer<typeof ReminderSnapshot>

export const ReminderRow = z.object({
  id: Id,
  seller: Named,
  buyer: Named,
  level: z.int(),
  sentOn: Day,
  open: Cents,
  email: z.string(),
  mailedAt: Instant.nullable(),
  failure: z.string(),
  by: z.string(),
})
export type ReminderRow = z.infer<typeof ReminderRow>

const Part = z.strictObject({ on: Day, amount: z.int().min(1) })
export const Hold = z.object({
  id: Id,
  seller: Named,
  buyer: Named,
  kind: HoldKind,
  invoiceNumber: z.string(),
  reason: z.string(),
  startsOn: Day,
  until: Day.nullable(),
  /** Each with what became of it: kept, broken, or to come. */
  parts: z.array(Part.extend({ state: z.enum(['kept', 'broken', 'coming']) })),
  /** Whether it stops reminders today. */
  holds: z.boolean(),
  closedOn: Day.nullable(),
  resolution: z.string(),
  by: z.string(),
  version: z.int(),
})
export type Hold = z.infer<typeof Hold>

const accountFields = { sellerId: Id, buyerId: Id }
const Reason = z.string().trim().min(5, 'Dites pourquoi en quelques mots (5 caractères au moins).').max(1000)
export const NewHold = z.discriminatedUnion('kind', [
  z.strictObject({
    ...accountFields,
    kind: z.literal('dispute'),
    reason: Reason,
    invoiceId: Id.nullable().default(null),
  }),
  z.strictObject({
    ...accountFields,
    kind: z.literal('promise'),
    reason: z.string().trim().max(1000).default(''),
    until: Day,
  }),
  z.strictObject({
    ...accountFields,
    kind: z.literal('schedule'),
    reason: z.string().trim().max(1000).default(''),
    parts: z.array(Part).min(1, 'Un échéancier a au moins une échéance.').max(36),
  }),
])
const params = z.object({ id: Id })
const readAccess = { permission: 'reminders.read' } as const
const sendAccess = { permission: 'reminders.send' } as const

export const reminders = {
  due: defineEndpoint({
    method: 'GET',
    path: '/api/reminders/due',
    access: readAccess,
    summary: 'Voir qui est à relancer aujourd’hui',
    response: z.object({
      day: Day,
      working: z.boolean(),
      items: z.array(DueAccount),
      totals: z.object({ overdue: Cents, due: z.int(), stopped: z.int() }),
    }),
  }),
  preview: defineEndpoint({
    method: 'GET',
    path: '/api/reminders/preview',
    access: readAccess,
    summary: 'Lire une relance avant son envoi',
    query: z.object(accountFields),
    response: ReminderSnapshot.extend({ level: z.int() }),
  }),
  send: defineEndpoint({
    method: 'POST',
    path: '/api/reminders',
    access: sendAccess,
    summary: 'Envoyer des relances',
    body: z.strictObject({
      accounts: z
        .array(z.strictObject({ ...accountFields, level: z.int().min(1).max(4) }))
        .min(1)
        .max(200),
      /** A person read the formal notices among them. */
      formal: z.boolean().default(false),
    }),
    response: z.object({ sent: z.int(), refused: z.array(z.object({ buyer: z.string(), why: z.string() })) }),
  }),
  list: defineEndpoint({
    method: 'GET',
    path: '/api/reminders',
    access: readAccess,
    summary: 'Lister les relances envoyées',
    query: ListQuery.extend({ buyerId: Id.optional() }),
    response: z.object({ items: z.array(ReminderRow), total: z.int() }),
  }),
  pdf: defineEndpoint({
    method: 'GET',
    path: '/api/reminders/:id/pdf',
    access: readAccess,
    summary: 'Télécharger une relance',
    params,
    response: { file: 'application/pdf' },
  }),
  claim: defineEndpoint({
    method: 'POST',
    path: '/api/reminders/claims',
    access: sendAccess,
    summary: 'Réclamer l’indemnité et les pénalités de retard',
    body: z.strictObject(accountFields),
    response: LateFees,
  }),
  holds: defineEndpoint({
    method: 'GET',
    path: '/api/reminder-holds',
    access: readAccess,
    summary: 'Lister les litiges, promesses et échéanciers',
    query: z.object({ buyerId: Id.optional(), open: z.enum(['true', 'false']).optional() }),
    response: z.object({ items: z.array(Hold) }),
  }),
  hold: defineEndpoint({
    method: 'POST',
    path: '/api/reminder-holds',
    access: sendAccess,
    summary: 'Ouvrir un litige, une promesse ou un échéancier',
    body: NewHold,
    response: Hold,
  }),
  closeHold: defineEndpoint({
    method: 'POST',
    path: '/api/reminder-holds/:id/close',
    access: sendAccess,
    summary: 'Clore un litige, une promesse ou un échéancier',
    params,
    body: z.strictObject({ resolution: Reason, version: z.int().min(1) }),
    response: Hold,
  }),
}
