import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Cents } from './money.ts'
import { Day, Direction, Flag, Id, Instant } from './primitives.ts'

const Named = z.object({ id: Id, name: z.string() })
const TakeoverMonth = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Un mois est attendu, par exemple 2026-05.')

/** A document that somebody else issued before: kept to be found, counted and compared, never issued again. */
export const PastDocument = z.object({
  id: Id,
  seller: Named,
  buyer: Named,
  number: z.string(),
  kind: z.enum(['invoice', 'creditNote']),
  issuedOn: Day,
  dueOn: Day,
  month: Day,
  /** Null where the file did not say it. */
  wh: z.int().nullable(),
  net: Cents,
  tax: Cents,
  gross: Cents,
  /** What was left of it on the day of the takeover. */
  open: Cents,
  addedBy: z.string(),
  addedAt: Instant,
})
export type PastDocument = z.infer<typeof PastDocument>

export const TakeoverLine = z.object({
  line: z.int(),
  number: z.string(),
  buyer: z.string(),
  gross: Cents.nullable(),
  open: Cents.nullable(),
  outcome: z.enum(['added', 'known', 'refused']),
  message: z.string(),
})
export type TakeoverLine = z.infer<typeof TakeoverLine>
export const TakeoverReport = z.object({
  added: z.int(),
  known: z.int(),
  refused: z.int(),
  /** What the lines that are added leave open: owed, and owed back. */
  debit: Cents,
  credit: Cents,
  lines: z.array(TakeoverLine),
})
export type TakeoverReport = z.infer<typeof TakeoverReport>

/** What we would have billed beside what was: with the first figure that differs as its cause. */
export const ShadowRow = z.object({
  seller: Named,
  buyer: Named,
  ours: z.object({ wh: z.int(), net: Cents, tax: Cents, gross: Cents }).nullable(),
  theirs: z.object({ wh: z.int().nullable(), net: Cents, tax: Cents, gross: Cents }).nullable(),
  /** Ours less theirs. */
  difference: Cents,
  cause: z.enum(['none', 'missing', 'extra', 'energy', 'price', 'tax']),
})
export type ShadowRow = z.infer<typeof ShadowRow>
export const SHADOW_CAUSE_LABELS: Record<ShadowRow['cause'], string> = {
  none: 'Identique',
  missing: 'Facturé ailleurs, rien chez nous',
  extra: 'Rien n’avait été facturé',
  energy: 'L’énergie diffère',
  price: 'Même énergie, prix ou frais différents',
  tax: 'Même HT, TVA différente',
}

/** The readings of a meter on the day of a takeover: how far they reach, and whether what is billed here can begin. */
export const LastReading = z.object({
  id: Id,
  prm: z.string(),
  label: z.string(),
  holder: z.string(),
  direction: Direction,
  storage: z.boolean(),
  /** First and last day of which something is known; null where nothing is. */
  from: Day.nullable(),
  until: Day.nullable(),
  /** Days of its participation after what was billed elsewhere of which nothing is known. */
  missing: z.int(),
  state: z.enum(['none', 'gap', 'whole']),
})
export type LastReading = z.infer<typeof LastReading>

const readAccess = { permission: 'takeovers.read' } as const
const writeAccess = { permission: 'takeovers.write' } as const

export const takeovers = {
  documents: defineEndpoint({
    method: 'GET',
    path: '/api/takeovers/documents',
    access: readAccess,
    summary: 'Lister les factures reprises',
    query: z.object({ operationId: Id }),
    response: z.object({ items: z.array(PastDocument) }),
  }),
  import: defineEndpoint({
    method: 'POST',
    path: '/api/takeovers/documents',
    access: writeAccess,
    summary: 'Reprendre des factures émises ailleurs',
    query: z.object({
      operationId: Id,
      sellerId: Id,
      /** The day of the takeover: what is open counts from it. */
      on: Day,
      dryRun: Flag.default(false),
    }),
    upload: 5_000_000,
    response: TakeoverReport,
  }),
  template: defineEndpoint({
    method: 'GET',
    path: '/api/takeovers/template',
    access: readAccess,
    summary: 'Télécharger le modèle des factures à reprendre',
    response: { file: 'text/csv' },
  }),
  series: defineEndpoint({
    method: 'GET',
    path: '/api/takeovers/series',
    access: readAccess,
    summary: 'Lister les séries de numéros',
    response: z.object({
      items: z.array(
        z.object({
          seller: Named,
          year: z.int(),
          prefix: z.string(),
          /** The last number taken, here or before. */
          last: z.int(),
          /** How many of them were taken before the takeover. */
          before: z.int(),
          next: z.string(),
          /** Whether it can still be said where it goes on. */
          free: z.boolean(),
        }),
      ),
    }),
  }),
  continueSeries: defineEndpoint({
    method: 'POST',
    path: '/api/takeovers/series',
    access: writeAccess,
    summary: 'Continuer une série de numéros',
    body: z.strictObject({
      sellerId: Id,
      year: z.int().min(2020).max(2100),
      last: z.int().min(0).max(9_999_998, 'Un numéro compte sept chiffres au plus.'),
    }),
    response: z.object({ next: z.string() }),
  }),
  readings: defineEndpoint({
    method: 'GET',
    path: '/api/takeovers/readings',
    access: readAccess,
    summary: 'Lire les derniers relevés de chaque compteur à la reprise',
    query: z.object({ operationId: Id }),
    response: z.object({
      /** The first day after the last month that was billed elsewhere; null where nothing was. */
      billedUntil: Day.nullable(),
      items: z.array(LastReading),
    }),
  }),
  shadow: defineEndpoint({
    method: 'GET',
    path: '/api/takeovers/shadow',
    access: readAccess,
    summary: 'Comparer un mois repris à notre calcul',
    query: z.object({ operationId: Id, month: TakeoverMonth }),
    response: z.object({
      rows: z.array(ShadowRow),
      /** Why we cannot compute the month, in words. */
      problems: z.array(z.string()),
      totals: z.object({ ours: Cents, theirs: Cents, difference: Cents, same: z.int(), differs: z.int() }),
    }),
    timeout: 120,
  }),
}
