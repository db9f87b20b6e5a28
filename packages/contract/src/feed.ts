import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** What other programs read of a company by a key of the API: each set by the right of its own. */
export const DATA_SETS = ['operations', 'participants', 'energies', 'invoices', 'payments'] as const
export type DataSet = (typeof DATA_SETS)[number]
export const FEED_RIGHTS = {
  operations: 'operations.read',
  participants: 'participants.read',
  energies: 'energy.read',
  invoices: 'invoices.read',
  payments: 'payments.read',
} as const satisfies Record<DataSet, string>

export const FeedFormat = z.enum(['csv', 'json', 'parquet'])
export type FeedFormat = z.infer<typeof FeedFormat>
const Month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Mois attendu, par exemple 2026-05.')
const format = FeedFormat.default('csv')
const whole = z.object({ format })
const monthly = z.object({ format, month: Month })
const file = { file: 'application/octet-stream' }

export const feed = {
  dictionary: endpoint({
    method: 'GET',
    path: '/api/feed',
    access: { permission: 'connections.read' },
    summary: 'Lire le dictionnaire du flux décisionnel',
    response: z.object({
      items: z.array(
        z.object({
          id: z.enum(DATA_SETS),
          label: z.string(),
          path: z.string(),
          byMonth: z.boolean(),
          columns: z.array(z.object({ name: z.string(), type: z.string(), about: z.string() })),
        }),
      ),
    }),
  }),
  operations: endpoint({
    method: 'GET',
    path: '/api/feed/operations',
    access: { permission: FEED_RIGHTS.operations },
    summary: 'Lire les opérations pour un outil décisionnel',
    query: whole,
    response: file,
  }),
  participants: endpoint({
    method: 'GET',
    path: '/api/feed/participants',
    access: { permission: FEED_RIGHTS.participants },
    summary: 'Lire les participants pour un outil décisionnel',
    query: whole,
    response: file,
  }),
  energies: endpoint({
    method: 'GET',
    path: '/api/feed/energies',
    access: { permission: FEED_RIGHTS.energies },
    summary: 'Lire les énergies d’un mois pour un outil décisionnel',
    query: monthly,
    response: file,
  }),
  invoices: endpoint({
    method: 'GET',
    path: '/api/feed/invoices',
    access: { permission: FEED_RIGHTS.invoices },
    summary: 'Lire les factures d’un mois pour un outil décisionnel',
    query: monthly,
    response: file,
  }),
  payments: endpoint({
    method: 'GET',
    path: '/api/feed/payments',
    access: { permission: FEED_RIGHTS.payments },
    summary: 'Lire les règlements d’un mois pour un outil décisionnel',
    query: monthly,
    response: file,
  }),
}
