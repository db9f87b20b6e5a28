import { Readable } from 'node:stream'
import { type DataSet, type FeedFormat, feed } from '@voisol/contract/feed'
import type { FastifyInstance } from 'fastify'
import { type Context, route } from '../../../http/route.ts'
import { FEED_TYPES, feedPieces } from './feed-formats.ts'
import { dictionary, FEED_SETS } from './feed-sets.ts'

/** Read by a program, with a key: within what the key may see, as any other call. */
async function answer(id: DataSet, { db, actor }: Pick<Context, 'db' | 'actor'>, format: FeedFormat, month = '') {
  const set = FEED_SETS[id]
  const name = `${[id, month].filter(Boolean).join('-')}.${format}`
  const content = Readable.from(feedPieces(set, set.rows({ db, actor, month }), format))
  return { name, type: FEED_TYPES[format], content }
}

export function feedRoutes(app: FastifyInstance) {
  route(app, feed.dictionary, async () => ({ items: dictionary() }))
  route(app, feed.operations, ({ query }, ctx) => answer('operations', ctx, query.format))
  route(app, feed.participants, ({ query }, ctx) => answer('participants', ctx, query.format))
  route(app, feed.energies, ({ query }, ctx) => answer('energies', ctx, query.format, query.month))
  route(app, feed.invoices, ({ query }, ctx) => answer('invoices', ctx, query.format, query.month))
  route(app, feed.payments, ({ query }, ctx) => answer('payments', ctx, query.format, query.month))
}
