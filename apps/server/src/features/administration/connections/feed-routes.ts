import { Readable } from 'node:stream'
import type { DataSet } from '@voisol/contract/data-sets'
import { type FeedFormat, feed } from '@voisol/contract/feed'
import type { FastifyInstance } from 'fastify'
import { requireVisibleOperation } from '../../../core/operation.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { buildFeedDictionary, FEED_TYPES, streamDataSetFile } from '../exports/exports.ts'
import { getNextMonth } from './ship-books.ts'

type FeedQuery = { format: FeedFormat; operationId?: string | undefined; month?: string | undefined }

/** Read by a BI tool with an API key, within the permissions of the key. */
async function buildFeedReply(dataSet: DataSet, ctx: RouteContext, { format, month, operationId = '' }: FeedQuery) {
  if (operationId) await requireVisibleOperation(ctx.db, ctx.actor, operationId)
  const order = {
    dataSet,
    format,
    dialect: 'french' as const,
    from: month ? `${month}-01` : null,
    to: month ? `${getNextMonth(month)}-01` : null,
    operationId: operationId || null,
    participantId: null,
  }
  const name = `${[dataSet, month].filter(Boolean).join('-')}.${format}`
  return { name, type: FEED_TYPES[format], content: Readable.from(streamDataSetFile(ctx, ctx.actor, order)) }
}

export function feedRoutes(app: FastifyInstance) {
  addRoute(app, feed.dictionary, async () => ({ items: buildFeedDictionary() }))
  addRoute(app, feed.operations, ({ query }, ctx) => buildFeedReply('operations', ctx, query))
  addRoute(app, feed.participants, ({ query }, ctx) => buildFeedReply('participants', ctx, query))
  addRoute(app, feed.points, ({ query }, ctx) => buildFeedReply('points', ctx, query))
  addRoute(app, feed.readings, ({ query }, ctx) => buildFeedReply('readings', ctx, query))
  addRoute(app, feed.allocations, ({ query }, ctx) => buildFeedReply('allocations', ctx, query))
  addRoute(app, feed.allocationDays, ({ query }, ctx) => buildFeedReply('allocation-days', ctx, query))
  addRoute(app, feed.energies, ({ query }, ctx) => buildFeedReply('energies', ctx, query))
  addRoute(app, feed.forecasts, ({ query }, ctx) => buildFeedReply('forecasts', ctx, query))
  addRoute(app, feed.invoices, ({ query }, ctx) => buildFeedReply('invoices', ctx, query))
  addRoute(app, feed.invoiceLines, ({ query }, ctx) => buildFeedReply('invoice-lines', ctx, query))
  addRoute(app, feed.payments, ({ query }, ctx) => buildFeedReply('payments', ctx, query))
  addRoute(app, feed.entries, ({ query }, ctx) => buildFeedReply('entries', ctx, query))
  addRoute(app, feed.audit, ({ query }, ctx) => buildFeedReply('audit', ctx, query))
  addRoute(app, feed.events, ({ query }, ctx) => buildFeedReply('events', ctx, query))
}
