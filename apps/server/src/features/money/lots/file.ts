import type { FileReply } from '@voisol/contract/endpoint'
import type { LotCharges } from '@voisol/contract/lots'
import type { Cell } from '../../../files/csv.ts'
import { tableFile } from '../../../files/table-file.ts'
import { datedName } from '../../../http/file-name.ts'
import { decimal } from '../../../papers/decimals.ts'
import { lotsPdf } from '../../../papers/lots-pdf.ts'
import type { Brand } from '../../../pdf/frame.ts'

const HEADER = ['Lot', 'Nom', 'Tantièmes', 'Énergie locale (kWh)', 'Charge TTC (€)']
const cell = (units: number, places: number) => Number(decimal(units, places))

export async function chargeFile(
  charges: LotCharges,
  format: 'csv' | 'xlsx' | 'pdf',
  brand: () => Promise<Brand>,
): Promise<FileReply> {
  const { buyer, lots, shares, wh, gross } = charges
  const name = `charges-par-lot ${buyer.name}`
  if (format === 'pdf')
    return { name: datedName(name, 'pdf'), type: 'application/pdf', content: await lotsPdf(charges, await brand()) }
  const rows = lots.map((lot): Cell[] => [lot.number, lot.holder, lot.shares, cell(lot.wh, 3), cell(lot.gross, 2)])
  return tableFile(name, format, HEADER, [...rows, ['Total', '', shares, cell(wh, 3), cell(gross, 2)]])
}
