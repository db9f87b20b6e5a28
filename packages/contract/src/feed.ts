import { z } from 'zod'
import { DATA_SETS, type DataSet, dataSetIds } from './data-sets.ts'
import { endpoint } from './endpoint.ts'
import { Id } from './primitives.ts'

export const FeedFormat = z.enum(['csv', 'json', 'parquet'])
export type FeedFormat = z.infer<typeof FeedFormat>
const Month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Mois attendu, par exemple 2026-05.')
const whole = z.object({ format: FeedFormat.default('csv'), operationId: Id.optional() })
const monthly = whole.extend({ month: Month })

/** What other programs read of a company by a key of the API: each set by the right of its own. */
const reading = <const D extends DataSet, Q extends z.ZodObject>(id: D, query: Q) =>
  endpoint({
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
  dictionary: endpoint({
    method: 'GET',
    path: '/api/feed',
    access: { permission: 'connections.read' },
    summary: 'Lire le dictionnaire du flux décisionnel',
    response: z.object({
      items: z.array(
        z.object({
          id: z.enum(dataSetIds),
          label: z.string(),
          path: z.string(),
          byMonth: z.boolean(),
          columns: z.array(DataColumn),
        }),
      ),
    }),
  }),
  operations: reading('operations', whole),
  participants: reading('participants', whole),
  points: reading('points', whole),
  readings: reading('readings', monthly),
  allocations: reading('allocations', monthly),
  allocationDays: reading('allocation-days', monthly),
  energies: reading('energies', monthly),
  forecasts: reading('forecasts', monthly),
  invoices: reading('invoices', monthly),
  invoiceLines: reading('invoice-lines', monthly),
  payments: reading('payments', monthly),
  entries: reading('entries', monthly),
  audit: reading('audit', monthly),
  events: reading('events', monthly),
}
