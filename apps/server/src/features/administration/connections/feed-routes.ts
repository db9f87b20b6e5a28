import { Readable } from 'node:stream'
import type { DataSet } from '@voisol/contract/data-sets'
import { type FeedFormat, feed } from '@voisol/contract/feed'
import type { FastifyInstance } from 'fastify'
import { findOperation } from '../../../core/operation.ts'
import { type Context, route } from '../../../http/route.ts'
import { dictionary, FEED_TYPES, pieces } from '../exports/exports.ts'
import { monthAfter } from './ship-books.ts'

type Query = { format: FeedFormat; operationId?: string | undefined; month?: string | undefined }

/** Read by a program, with a key: within what the key may see, as any other call. */
async function answer(dataSet: DataSet, ctx: Context, { format, month, operationId = '' }: Query) {
  if (operationId) await findOperation(ctx.db, ctx.actor, operationId)
  const order = {
    dataSet,
    format,
    dialect: 'french' as const,
    from: month ? `${month}-01` : null,
    to: month ? `${monthAfter(month)}-01` : null,
    operationId: operationId || null,
    participantId: null,
  }
  const name = `${[dataSet, month].filter(Boolean).join('-')}.${format}`
  return { name, type: FEED_TYPES[format], content: Readable.from(pieces(ctx, ctx.actor, order)) }
}

export function feedRoutes(app: FastifyInstance) {
  route(app, feed.dictionary, async () => ({ items: dictionary() }))
  route(app, feed.operations, ({ query }, ctx) => answer('operations', ctx, query))
  route(app, feed.participants, ({ query }, ctx) => answer('participants', ctx, query))
  route(app, feed.points, ({ query }, ctx) => answer('points', ctx, query))
  route(app, feed.readings, ({ query }, ctx) => answer('readings', ctx, query))
  route(app, feed.allocations, ({ query }, ctx) => answer('allocations', ctx, query))
  route(app, feed.allocationDays, ({ query }, ctx) => answer('allocation-days', ctx, query))
  route(app, feed.energies, ({ query }, ctx) => answer('energies', ctx, query))
  route(app, feed.forecasts, ({ query }, ctx) => answer('forecasts', ctx, query))
  route(app, feed.invoices, ({ query }, ctx) => answer('invoices', ctx, query))
  route(app, feed.invoiceLines, ({ query }, ctx) => answer('invoice-lines', ctx, query))
  route(app, feed.payments, ({ query }, ctx) => answer('payments', ctx, query))
  route(app, feed.entries, ({ query }, ctx) => answer('entries', ctx, query))
  route(app, feed.audit, ({ query }, ctx) => answer('audit', ctx, query))
  route(app, feed.events, ({ query }, ctx) => answer('events', ctx, query))
}
