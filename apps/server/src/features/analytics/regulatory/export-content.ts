import { PERIOD_TYPE_BY_KIND, type RegulatoryKind } from '@voisol/contract/regulatory'
import type { PdfTableColumn } from '@voisol/documents/pdf/table'
import { addMonths } from '@voisol/energy/calendar'
import { formatFrenchMonth } from '@voisol/file-formats/french'
import type { OperationRow } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { SpreadsheetCell } from '../../../files/csv.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'

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

export const getMonthRange = (period: string) => ({ from: `${period}-01`, to: addMonths(`${period}-01`, 1) })

const PERIOD_PATTERNS = { month: /^\d{4}-\d\d$/, year: /^\d{4}$/, now: /^$/ }
const PERIOD_MESSAGES = {
  month: 'Choisissez le mois, par exemple 2026-05.',
  year: 'Choisissez l’année, par exemple 2026.',
  now: 'Cet export dit l’état du jour\u00a0: il n’a pas de période.',
}

export function requireExportPeriod(kind: RegulatoryKind, period: string) {
  const of = PERIOD_TYPE_BY_KIND[kind]
  if (!PERIOD_PATTERNS[of].test(period)) throw fieldError('period', PERIOD_MESSAGES[of])
}

export const formatExportPeriod = (period: string) =>
  period === '' ? '' : period.length === 4 ? `année ${period}` : formatFrenchMonth(`${period}-01`)
