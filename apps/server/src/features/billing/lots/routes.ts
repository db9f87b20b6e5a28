import type { FileReply } from '@voisol/contract/endpoint'
import { type LotCharges, type LotSpread, lots } from '@voisol/contract/lots'
import { buildLotsPdf } from '@voisol/documents/lots-pdf'
import { formatDecimal } from '@voisol/documents/number-and-date-formats'
import type { Brand } from '@voisol/documents/pdf/frame'
import type { FastifyInstance } from 'fastify'
import { loadBrand } from '../../../core/brand.ts'
import type { SpreadsheetCell } from '../../../files/csv.ts'
import { buildTableFile } from '../../../files/table-file.ts'
import { buildDatedFileName } from '../../../http/response-text.ts'
import { addRoute } from '../../../http/route.ts'
import { listLotSpreads, loadLotCharges, loadLotSpread, saveLotSpread } from './lot-charges.ts'

/** Names in lots are personal data: the audit log keeps only how the charge is spread. */
const toAuditDetail = ({ by, lots: own, shares }: LotSpread) => ({ by, lots: own.length, shares })

export function registerLotRoutes(app: FastifyInstance) {
  addRoute(app, lots.list, async (_, { db, actor }) => ({
    items: (await listLotSpreads(db, actor)).map(({ lots: own, ...spread }) => ({ ...spread, lots: own.length })),
  }))
  addRoute(app, lots.get, ({ params }, { db, actor }) => loadLotSpread(db, actor, params.id))
  addRoute(app, lots.save, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await saveLotSpread(db, actor, params.id, body)
    note({ target: after.buyer.name, detail: { before: toAuditDetail(before), after: toAuditDetail(after) } })
    return after
  })
  addRoute(app, lots.charges, ({ params, query }, { db, actor }) => loadLotCharges(db, actor, params.id, query))
  addRoute(app, lots.file, async ({ params, query }, { db, actor }) =>
    buildLotChargesFile(await loadLotCharges(db, actor, params.id, query), query.format, () =>
      loadBrand(db, actor.companyId),
    ),
  )
}

const LOT_CHARGES_HEADER = ['Lot', 'Nom', 'Tantièmes', 'Énergie locale (kWh)', 'Charge TTC (€)']
const toNumberCell = (units: number, places: number) => Number(formatDecimal(units, places))

async function buildLotChargesFile(
  charges: LotCharges,
  format: 'csv' | 'xlsx' | 'pdf',
  brand: () => Promise<Brand>,
): Promise<FileReply> {
  const { buyer, lots, shares, wh, gross } = charges
  const name = `charges-par-lot ${buyer.name}`
  if (format === 'pdf')
    return {
      name: buildDatedFileName(name, 'pdf'),
      type: 'application/pdf',
      content: await buildLotsPdf(charges, await brand()),
    }
  const rows = lots.map((lot): SpreadsheetCell[] => [
    lot.number,
    lot.holder,
    lot.shares,
    toNumberCell(lot.wh, 3),
    toNumberCell(lot.gross, 2),
  ])
  return buildTableFile(name, format, LOT_CHARGES_HEADER, [
    ...rows,
    ['Total', '', shares, toNumberCell(wh, 3), toNumberCell(gross, 2)],
  ])
}
