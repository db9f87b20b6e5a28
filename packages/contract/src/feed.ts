import { z } from 'zod'
import { DATA_SET_IDS, DATA_SETS, type DataSet } from './data-sets.ts'
import { defineEndpoint } from './endpoint.ts'
import { Id } from './primitives.ts'

export const FeedFormat = z.enum(['csv', 'json', 'parquet'])
export type FeedFormat = z.infer<typeof FeedFormat>
const Month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Mois attendu, par exemple 2026-05.')
const feedQuery = z.object({ format: FeedFormat.default('csv'), operationId: Id.optional() })
const monthlyFeedQuery = feedQuery.extend({ month: Month })

/** Data of a company that other programs read with an API key, each set with its own permission. */
const defineFeed = <const D extends DataSet, Q extends z.ZodObject>(id: D, query: Q) =>
  defineEndpoint({
    method: 'GET',
    path: `/api/feed/${id}`,
    access: { permission: DATA_SETS[id].permission },
    summary: `Flux décisionnel, ${DATA_SETS[id].label.toLowerCase()}${DATA_SETS[id].period ? ', un mois' : ''}`,
    query,
    response: { file: 'application/octet-stream' },
  })

export const DataColumn = z.object({ name: z.string(), type: z.string(), unit: z.string(), about: z.string() })
export type DataColumn = z.infer<typeof DataColumn>

export const feed = {
  dictionary: defineEndpoint({
    method: 'GET',
    path: '/api/feed',
    access: { permission: 'connections.read' },
    summary: 'Lire le dictionnaire du flux décisionnel',
    response: z.object({
      items: z.array(
        z.object({
          id: z.enum(DATA_SET_IDS),
          label: z.string(),
          path: z.string(),
          byMonth: z.boolean(),
          columns: z.array(DataColumn),
        }),
      ),
    }),
  }),
  operations: defineFeed('operations', feedQuery),
  participants: defineFeed('participants', feedQuery),
  points: defineFeed('points', feedQuery),
  readings: defineFeed('readings', monthlyFeedQuery),
  allocations: defineFeed('allocations', monthlyFeedQuery),
  allocationDays: defineFeed('allocation-days', monthlyFeedQuery),
  energies: defineFeed('energies', monthlyFeedQuery),
  forecasts: defineFeed('forecasts', monthlyFeedQuery),
  invoices: defineFeed('invoices', monthlyFeedQuery),
  invoiceLines: defineFeed('invoice-lines', monthlyFeedQuery),
  payments: defineFeed('payments', monthlyFeedQuery),
  entries: defineFeed('entries', monthlyFeedQuery),
  audit: defineFeed('audit', monthlyFeedQuery),
  events: defineFeed('events', monthlyFeedQuery),
}
