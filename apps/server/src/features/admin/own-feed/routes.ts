import type { CsvDialect } from '@voisol/contract/exports'
import { ownFeed } from '@voisol/contract/own-feed'
import type { FastifyInstance } from 'fastify'
import { FRENCH_CSV, formatCsvCell, RFC4180_CSV } from '../../../files/csv.ts'
import { addRoute } from '../../../http/route.ts'
import { listFeedDays, listFeedInvoices, loadOwnFigures } from './own-feed.ts'
import { createPersonalToken, listPersonalTokens, revokePersonalToken } from './personal-tokens.ts'

type FeedRow = Record<string, string | number | null>
type FileFormat = { format: 'csv' | 'json'; dialect: CsvDialect }

function formatCsv(columns: string[], rows: FeedRow[], name: CsvDialect): string {
  const dialect = name === 'rfc' ? RFC4180_CSV : FRENCH_CSV
  const line = (cells: (string | number | null)[]) =>
    `${cells.map((cell) => formatCsvCell(cell, dialect)).join(dialect.separator)}\r\n`
  const body = rows.map((row) => line(columns.map((column) => row[column] ?? null)))
  return `${name === 'french' ? '\uFEFF' : ''}${line(columns)}${body.join('')}`
}

const buildFeedFile = (name: string, columns: string[], rows: FeedRow[], { format, dialect }: FileFormat) =>
  format === 'json'
    ? { name: `${name}.json`, type: 'application/json; charset=utf-8', content: JSON.stringify(rows) }
    : { name: `${name}.csv`, type: 'text/csv; charset=utf-8', content: formatCsv(columns, rows, dialect) }

const DAY_COLUMNS = ['day', 'consumed_kwh', 'local_kwh', 'grid_kwh', 'produced_kwh', 'shared_kwh', 'surplus_kwh']
const DOCUMENT_COLUMNS = ['number', 'kind', 'issued_on', 'due_on', 'from_day', 'to_day']
const INVOICE_COLUMNS = [...DOCUMENT_COLUMNS, 'wh', 'net_cents', 'tax_cents', 'gross_cents']

export function ownFeedRoutes(app: FastifyInstance) {
  const { deps } = app
  addRoute(app, ownFeed.figures, (_, { db, actor }) => loadOwnFigures(db, deps, actor))
  addRoute(app, ownFeed.days, async ({ query }, { db, actor }) =>
    buildFeedFile('energies', DAY_COLUMNS, await listFeedDays(db, actor, query), query),
  )
  addRoute(app, ownFeed.invoices, async ({ query }, { db, actor }) =>
    buildFeedFile('factures', INVOICE_COLUMNS, await listFeedInvoices(db, actor), query),
  )
  addRoute(app, ownFeed.tokens, async (_, { db, actor }) => ({ items: await listPersonalTokens(db, actor) }))
  addRoute(app, ownFeed.create, async ({ body }, { db, actor, note }) => {
    const made = await createPersonalToken(db, actor, body)
    note({ target: made.name, detail: { scopes: made.scopes, prefix: made.prefix } })
    return made
  })
  addRoute(app, ownFeed.revoke, async ({ params }, { db, actor, note }) => {
    const gone = await revokePersonalToken(db, actor, params.id)
    note({ target: gone.name, detail: { prefix: gone.prefix } })
    return { success: true as const }
  })
}
