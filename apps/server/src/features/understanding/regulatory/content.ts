import type { RegulatoryKind } from '@voisol/contract/regulatory'
import type { OperationRow } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { SpreadsheetCell } from '../../../files/csv.ts'
import type { Actor } from '../../../http/actor.ts'
import type { PdfTableColumn } from '../../../pdf/table.ts'

/** The content of an export: a table file and a PDF from the same rows. */
export type ExportContent = {
  header: string[]
  rows: SpreadsheetCell[][]
  /** Ids of the rows' subjects. */
  subjects: string[]
  /** Missing information, in sentences. */
  missing: string[]
  sheet: { lead: string; columns: PdfTableColumn[]; rows: string[][]; after?: { title: string; text: string }[] }
  /** Files instead of the table: the distributor takes one per producer. */
  files?: { name: string; content: Uint8Array }[]
}

export type ExportRequest = { kind: RegulatoryKind; operation: OperationRow; period: string }
export type ExportBuilder = (
  db: Db,
  deps: Pick<Deps, 'config'>,
  actor: Actor,
  asked: ExportRequest,
) => Promise<ExportContent>

/** Kilowatt-hours with one decimal, for display. */
export const formatWhAsKwh = (wh: number) =>
  new Intl.NumberFormat('fr-FR', { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(wh / 1000)
