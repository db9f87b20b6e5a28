import type { FileReply } from '@voisol/contract/endpoint'
import type { LotCharges } from '@voisol/contract/lots'
import type { SpreadsheetCell } from '../../../files/csv.ts'
import { buildTableFile } from '../../../files/table-file.ts'
import { buildDatedFileName } from '../../../http/file-name.ts'
import { formatDecimal } from '../../../papers/decimals.ts'
import { buildLotsPdf } from '../../../papers/lots-pdf.ts'
import type { Brand } from '../../../pdf/frame.ts'

const LOT_CHARGES_HEADER = ['Lot', 'Nom', 'Tantièmes', 'Énergie locale (kWh)', 'Charge TTC (€)']
const toNumberCell = (units: number, places: number) => Number(formatDecimal(units, places))

export async function buildLotChargesFile(
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
