import type { RegulatoryKind } from '@voisol/contract/regulatory'
import type { OperationRow } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { SpreadsheetCell } from '../../../files/csv.ts'
import type { Actor } from '../../../http/actor.ts'
import type { PdfTableColumn } from '../../../pdf/table.ts'

/** What an export says: a table to take away and a sheet to read, both from the same rows. */
export type ExportContent = {
  header: string[]
  rows: SpreadsheetCell[][]
  /** Ids of what it tells of. */
  subjects: string[]
  /** What its reader would miss, in words. */
  missing: string[]
  sheet: { lead: string; columns: PdfTableColumn[]; rows: string[][]; after?: { title: string; text: string }[] }
  /** Files instead of the table: the distributor takes one for each producer. */
  files?: { name: string; content: Uint8Array }[]
}

export type ExportRequest = { kind: RegulatoryKind; operation: OperationRow; period: string }
export type ExportBuilder = (
  db: Db,
  deps: Pick<Deps, 'config'>,
  actor: Actor,
  asked: ExportRequest,
) => Promise<ExportContent>

/** Kilowatt-hours to a tenth, as they are read. */
export const formatWhAsKwh = (wh: number) =>
  new Intl.NumberFormat('fr-FR', { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(wh / 1000)
