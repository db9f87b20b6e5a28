import { type CurveFileChoices, FileRefusedError } from '@voisol/file-formats/curve-file-types'
import { type ChangeConfirmation, createPreviewToken, listTouchedMonths } from '../../../core/change-confirmation.ts'
import type { Db, TouchedDays } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { ImportRow } from './import-queries.ts'
import { findImport, parseImport } from './read-import-file.ts'
import { type FileReview, reviewCurveFile, type SeriesView } from './review-curve-file.ts'
import { storeReadings } from './store-readings.ts'

/** What a person confirms when storing an import: the file as it was read. */
export const toImportChange = ({ id, choices }: Pick<ImportRow, 'id' | 'choices'>, overwrite: boolean) => ({
  kind: 'import',
  id,
  choices,
  overwrite,
})

/** The days of the points for which the file has new data. */
export const listTouchedDays = (series: SeriesView[]): TouchedDays[] =>
  series.flatMap(({ pointId, newDays, changedDays, from, to }) =>
    pointId && newDays + changedDays > 0 ? [{ pointIds: [pointId], from, to }] : [],
  )

/** Only curves that the person saw attached to a point: a point added since was not confirmed. */
export function keepReviewedPoints({ series }: ImportRow, review: FileReview): FileReview {
  const reviewedPointIds = new Set((series as SeriesView[]).map(({ pointId }) => pointId)) // what the reading wrote
  return { ...review, rows: review.rows.filter(({ pointId }) => reviewedPointIds.has(pointId)) }
}

type ImportRequester = { companyId: number; userId: string | null }

/** Whether the effect of the import is still what the person saw; programs and older imports have no preview. */
export async function isPreviewStillValid(
  deps: Pick<Deps, 'secrets'>,
  tx: Db,
  requester: ImportRequester,
  row: ImportRow,
  review: FileReview,
) {
  const confirmation = row.seen as ChangeConfirmation | null // written by the confirmation
  if (!confirmation || confirmation.anyway !== undefined) return true
  const months = await listTouchedMonths(tx, requester.companyId, listTouchedDays(review.series))
  if (!months.length) return true
  const by = { companyId: requester.companyId, userId: requester.userId ?? '' }
  const change = toImportChange(row, row.overwrite)
  return confirmation.shown === (await createPreviewToken({ db: tx, secrets: deps.secrets }, by, change, months))
}

/** What storing the import would write, to be simulated and rolled back. */
export async function buildImportTrial(deps: Deps, { companyId }: Actor, id: string, overwrite: boolean) {
  const row = await findImport(deps.db, { companyId, importId: id })
  if (!row) throw new AppError('not-found')
  if (row.status !== 'ready')
    throw new AppError('invalid-transition', { message: 'Cet import n’attend pas d’être enregistré.' })
  const parsed = await parseImport(deps, row).catch(throwFileRefused)
  const review = await reviewCurveFile(deps.db, companyId, parsed, row.choices as CurveFileChoices) // checked by contract
  const { rows } = keepReviewedPoints(row, review)
  return {
    change: toImportChange(row, overwrite),
    touched: listTouchedDays(review.series),
    write: (tx: Db) => storeReadings(tx, companyId, rows, { source: 'import', importId: id, receivedAt: new Date() }),
  }
}

const throwFileRefused = (error: unknown): never => {
  if (error instanceof FileRefusedError) throw new AppError('conflict', { message: error.message })
  throw error
}
