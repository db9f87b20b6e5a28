import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Cents } from './money.ts'
import { Day, Id, Period, Text } from './primitives.ts'

/** By the shares of a co-ownership (tantièmes), or the same for each lot. */
export const SpreadBy = z.enum(['share', 'lot'])
export type SpreadBy = z.infer<typeof SpreadBy>
export const SPREAD_LABELS: Record<SpreadBy, string> = { share: 'Par tantièmes', lot: 'Par lot, à parts égales' }

export const Lot = z.strictObject({
  number: Text.max(30),
  /** Who bears its charges; empty where nobody says. */
  holder: z.string().trim().max(200),
  shares: z.int('Un nombre entier de tantièmes est attendu, par exemple 145.').min(0).max(10_000_000),
})
export type Lot = z.infer<typeof Lot>
export const MAX_LOTS = 2000

const lotFields = { by: SpreadBy, lots: z.array(Lot).max(MAX_LOTS) }
/** Without a lot the charge is not spread any more. `version` is 0 where nothing was said yet. */
export const LotsUpdate = z
  .strictObject({ ...lotFields, version: z.int().min(0) })
  .superRefine(({ by, lots }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['lots'], message })
    const seen = new Set<string>()
    for (const { number } of lots) {
      if (seen.has(number)) refuse(`Le lot ${number} est nommé deux fois.`)
      seen.add(number)
    }
    if (by === 'share' && lots.length > 0 && lots.every(({ shares }) => shares === 0))
      refuse('Aucun lot n’a de tantièmes\u00a0: donnez-les, ou répartissez par lot.')
  })
const Named = z.object({ id: Id, name: z.string() })
export const LotSpread = z.object({ ...lotFields, buyer: Named, shares: z.int(), version: z.int() })
export type LotSpread = z.infer<typeof LotSpread>

/** What one lot bears of what its buyer was invoiced. */
export const LotCharge = Lot.extend({ wh: z.int(), gross: Cents })
export type LotCharge = z.infer<typeof LotCharge>
export const LotCharges = z.object({
  buyer: Named,
  by: SpreadBy,
  from: Day,
  to: Day,
  shares: z.int(),
  /** The documents of the period, credit notes taken away: the lots sum to these. */
  documents: z.array(z.object({ id: Id, number: z.string(), gross: Cents })),
  wh: z.int(),
  gross: Cents,
  lots: z.array(LotCharge),
})
export type LotCharges = z.infer<typeof LotCharges>

const params = z.object({ id: Id })
const readAccess = { permission: 'invoices.read' } as const

export const lots = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/lots',
    access: { permission: 'parties.read' },
    summary: 'Lister les acheteurs dont la charge est répartie par lot',
    response: z.object({ items: z.array(LotSpread.omit({ lots: true }).extend({ lots: z.int() })) }),
  }),
  get: defineEndpoint({
    method: 'GET',
    path: '/api/buyers/:id/lots',
    access: { permission: 'parties.read' },
    summary: 'Lire les lots d’un acheteur',
    params,
    response: LotSpread,
  }),
  save: defineEndpoint({
    method: 'PUT',
    path: '/api/buyers/:id/lots',
    access: { permission: 'parties.write' },
    summary: 'Enregistrer les lots d’un acheteur',
    params,
    body: LotsUpdate,
    response: LotSpread,
  }),
  charges: defineEndpoint({
    method: 'GET',
    path: '/api/buyers/:id/charges',
    access: readAccess,
    summary: 'Répartir la charge d’un acheteur entre ses lots',
    params,
    query: Period,
    response: LotCharges,
  }),
  file: defineEndpoint({
    method: 'GET',
    path: '/api/buyers/:id/charges/file',
    access: readAccess,
    summary: 'Télécharger la charge de chaque lot',
    params,
    query: Period.extend({ format: z.enum(['csv', 'xlsx', 'pdf']).default('pdf') }),
    response: { file: 'application/octet-stream' },
  }),
}
