import {
  CURVE_FILE_FORMAT_LABELS,
  type CurveFileChoices,
  FileRefusedError,
  type ParsedFile,
} from '@voisol/file-formats/curve-file-types'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { getFileKey } from '../../../core/stored-files.ts'
import type { Db } from '../../../db/client.ts'
import { curveImports, files } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import type { ImportRow } from './import-queries.ts'
import { buildImportQuestions } from './import-questions.ts'
import { reviewCurveFile } from './review-curve-file.ts'

export type ImportJobRef = { companyId: number; importId: string }

const isImport = ({ companyId, importId }: ImportJobRef) =>
  and(eq(curveImports.companyId, companyId), eq(curveImports.id, importId))

export async function findImport(db: Db, job: ImportJobRef): Promise<ImportRow | undefined> {
  const [row] = await db.select().from(curveImports).where(isImport(job))
  return row
}

/** Written outside any transaction, so that the screen sees progress; a finished import is not changed. */
export async function updateImportProgress(db: Db, job: ImportJobRef, progress: number): Promise<void> {
  await db
    .update(curveImports)
    .set({ progress })
    .where(and(isImport(job), inArray(curveImports.status, ['reading', 'storing'])))
}

export async function parseImport({ db, files: store, compute }: Deps, row: ImportRow): Promise<ParsedFile> {
  const [file] = await db
    .select()
    .from(files)
    .where(and(eq(files.companyId, row.companyId), eq(files.id, row.fileId)))
  const bytes = file && (await store.get(getFileKey(file)))
  if (!bytes) throw new FileRefusedError('Le contenu de ce fichier n’est plus disponible. Déposez-le à nouveau.')
  const { companyId, name } = row
  return parseCurveFileInWorker({ compute }, { companyId, name, bytes, choices: row.choices as CurveFileChoices }) // checked by contract
}

/** Stores the result of reading, unless the person made another choice or gave up since. */
async function storeReading(db: Db, row: ImportRow, values: Partial<ImportRow>): Promise<void> {
  await db
    .update(curveImports)
    .set({ progress: 100, ...values })
    .where(
      and(
        isImport({ companyId: row.companyId, importId: row.id }),
        eq(curveImports.status, 'reading'),
        sql`${curveImports.choices} = ${JSON.stringify(row.choices)}::jsonb`,
      ),
    )
}

export const toDetectedFormat = ({ detected }: ParsedFile) => ({
  ...detected,
  formatLabel: CURVE_FILE_FORMAT_LABELS[detected.format],
})

export async function readUploadedFile(deps: Deps, job: ImportJobRef): Promise<void> {
  const { db } = deps
  const row = await findImport(db, job)
  if (row?.status !== 'reading') return
  try {
    await updateImportProgress(db, job, 10)
    const parsed = await parseImport(deps, row)
    await updateImportProgress(db, job, 60)
    const { series, problems, counts } = await reviewCurveFile(
      db,
      job.companyId,
      parsed,
      row.choices as CurveFileChoices,
    ) // as above
    const asked = await buildImportQuestions(db, job.companyId, parsed, series)
    await storeReading(db, row, {
      status: 'ready',
      detected: toDetectedFormat(parsed),
      asked,
      series,
      problems,
      counts,
    })
  } catch (error) {
    if (!(error instanceof FileRefusedError)) throw error
    await storeReading(db, row, { status: 'refused', message: error.message, finishedAt: new Date() })
  }
}

type ParseFileInput = {
  companyId: number
  name: string
  bytes: Uint8Array
  choices?: CurveFileChoices
  seconds?: number
}

/**
 * Parses a file in a worker thread so that the server keeps responding; a file that takes too long or too much memory
 * is refused.
 */
export async function parseCurveFileInWorker(
  { compute }: Pick<Deps, 'compute'>,
  input: ParseFileInput,
): Promise<ParsedFile> {
  const { companyId, name, choices = {}, seconds } = input
  // A copy, since a small Buffer shares its memory with other requests.
  const bytes = new Uint8Array(input.bytes)
  const options = { companyId, moved: [bytes.buffer], ...(seconds !== undefined && { seconds }) }
  const result = await compute('curves.parse', { name, bytes, choices }, options).catch(throwParseRefused)
  if ('refused' in result) throw new FileRefusedError(result.refused)
  return result.parsed
}

function throwParseRefused(error: unknown): never {
  const code = error instanceof AppError ? error.code : ''
  if (code === 'compute-time')
    throw new FileRefusedError('Ce fichier est trop long à lire. Partagez-le par période ou par groupe de points.')
  if (code === 'compute-memory')
    throw new FileRefusedError('Ce fichier demande trop de mémoire. Partagez-le par période ou par groupe de points.')
  throw error
}
