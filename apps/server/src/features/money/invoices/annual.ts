import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import { tableFile } from '../../../files/table-file.ts'
import { frenchMonth } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { decimal } from '../../../papers/decimals.ts'
import { sumOf } from './ledger.ts'
import { invoiceScope } from './scope.ts'
import { suppliedIn } from './supplied.ts'

type Asked = { buyerId: string; year: number }

async function nameOf(db: Db, actor: Actor, buyerId: string): Promise<string> {
  const [row] = await db
    .select({ name: sql<string>`${invoices.snapshot} #>> '{buyer,name}'` })
    .from(invoices)
    .where(and(invoiceScope(actor), eq(invoices.buyerId, buyerId)))
    .orderBy(sql`${invoices.issuedAt} desc`)
    .limit(1)
  if (!row) throw new AppError('not-found')
  return row.name
}

/** A buyer's year by month supplied, corrections with the month they correct. */
export async function annualOf(db: Db, actor: Actor, { buyerId, year }: Asked) {
  const name = await nameOf(db, actor, buyerId)
  const rows = await suppliedIn(db, actor, { buyerId, from: `${year}-01-01`, to: `${year + 1}-01-01` })
  const months = [...Map.groupBy(rows, ({ from }) => `${from.slice(0, 7)}-01`)].map(([month, own]) => ({
    month,
    ...sumOf(own),
    documents: own.map(({ id, number, kind, seller, gross }) => ({ id, number, kind, seller, gross })),
  }))
  return { buyer: { id: buyerId, name }, year, months, totals: sumOf(rows) }
}

const HEADER = ['Mois fourni', 'Documents', 'Énergie locale (kWh)', 'HT (€)', 'TVA (€)', 'TTC (€)']
/** A number of the sheet: its digits are written before they become one. */
const cell = (units: number, places: number) => Number(decimal(units, places))
const figures = ({ wh, net, tax, gross }: ReturnType<typeof sumOf>) => [
  cell(wh, 3),
  cell(net, 2),
  cell(tax, 2),
  cell(gross, 2),
]

export async function annualFile(db: Db, actor: Actor, asked: Asked) {
  const { buyer, year, months, totals } = await annualOf(db, actor, asked)
  const rows = months.map((month) => [
    frenchMonth(month.month),
    month.documents.map(({ number }) => number).join(', '),
    ...figures(month),
  ])
  return tableFile(`récapitulatif ${year} ${buyer.name}`, 'csv', HEADER, [...rows, ['Total', '', ...figures(totals)]])
}
