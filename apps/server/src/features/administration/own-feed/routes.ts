import type { CsvDialect } from '@voisol/contract/exports'
import { ownFeed } from '@voisol/contract/own-feed'
import type { FastifyInstance } from 'fastify'
import { csvCell, FRENCH, RFC } from '../../../files/csv.ts'
import { route } from '../../../http/route.ts'
import { daysOf, figuresOf, invoicesOf } from './own-feed.ts'
import { createToken, listTokens, revokeToken } from './tokens.ts'

type Cells = Record<string, string | number | null>
type Shape = { format: 'csv' | 'json'; dialect: CsvDialect }

function csv(columns: string[], rows: Cells[], name: CsvDialect): string {
  const dialect = name === 'rfc' ? RFC : FRENCH
  const line = (cells: (string | number | null)[]) =>
    `${cells.map((cell) => csvCell(cell, dialect)).join(dialect.separator)}\r\n`
  const body = rows.map((row) => line(columns.map((column) => row[column] ?? null)))
  return `${name === 'french' ? '\uFEFF' : ''}${line(columns)}${body.join('')}`
}

const file = (name: string, columns: string[], rows: Cells[], { format, dialect }: Shape) =>
  format === 'json'
    ? { name: `${name}.json`, type: 'application/json; charset=utf-8', content: JSON.stringify(rows) }
    : { name: `${name}.csv`, type: 'text/csv; charset=utf-8', content: csv(columns, rows, dialect) }

const DAYS = ['day', 'consumed_kwh', 'local_kwh', 'grid_kwh', 'produced_kwh', 'shared_kwh', 'surplus_kwh']
const DOCUMENT = ['number', 'kind', 'issued_on', 'due_on', 'from_day', 'to_day']
const INVOICES = [...DOCUMENT, 'wh', 'net_cents', 'tax_cents', 'gross_cents']

export function ownFeedRoutes(app: FastifyInstance) {
  const { deps } = app
  route(app, ownFeed.figures, (_, { db, actor }) => figuresOf(db, deps, actor))
  route(app, ownFeed.days, async ({ query }, { db, actor }) =>
    file('energies', DAYS, await daysOf(db, actor, query), query),
  )
  route(app, ownFeed.invoices, async ({ query }, { db, actor }) =>
    file('factures', INVOICES, await invoicesOf(db, actor), query),
  )
  route(app, ownFeed.tokens, async (_, { db, actor }) => ({ items: await listTokens(db, actor) }))
  route(app, ownFeed.create, async ({ body }, { db, actor, note }) => {
    const made = await createToken(db, actor, body)
    note({ target: made.name, detail: { scopes: made.scopes, prefix: made.prefix } })
    return made
  })
  route(app, ownFeed.revoke, async ({ params }, { db, actor, note }) => {
    const gone = await revokeToken(db, actor, params.id)
    note({ target: gone.name, detail: { prefix: gone.prefix } })
    return { success: true as const }
  })
}
