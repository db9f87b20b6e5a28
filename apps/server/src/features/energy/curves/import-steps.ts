import type { CurveImport } from '@voisol/contract/curves'
import { formatCount, formatFrenchNumber, NBSP } from '@voisol/file-formats/french'
import { and, eq, inArray } from 'drizzle-orm'
import { type ChangeConfirmation, requirePreviewed } from '../../../core/change-confirmation.ts'
import { getMediaType, sanitizeFileName, storeFile } from '../../../core/stored-files.ts'
import type { Db } from '../../../db/client.ts'
import { curveImports, files } from '../../../db/schema/index.ts'
import { type RecordEventInput, recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import type { FileStore } from '../../../integrations/files/files.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Secrets } from '../../../secrets.ts'
import { type ImportRow, loadCurveImport, lockCurveImport } from './import-queries.ts'
import { requireAnswers } from './import-questions.ts'
import { listTouchedDays, toImportChange } from './preview-import.ts'

const REFUSAL_MESSAGES: Partial<Record<string, string>> = {
  reading: 'Ce fichier est en cours de lecture\u00a0: attendez son aperçu.',
  done: 'Ce fichier est déjà enregistré.',
  refused: 'Ce fichier a été refusé\u00a0: déposez-en un autre.',
  abandoned: 'Cet import a été abandonné\u00a0: déposez le fichier à nouveau.',
}

/** `from` are the allowed states before the step. */
function requireImportState(row: ImportRow, from: CurveImport['status'][]): void {
  if (from.some((status) => status === row.status)) return
  if (row.status === 'storing')
    throw new AppError('in-progress', { message: 'L’enregistrement de ce fichier est déjà en cours.' })
  throw new AppError('invalid-transition', {
    message: REFUSAL_MESSAGES[row.status] ?? 'Ce changement d’état n’est pas permis.',
  })
}

async function updateImport(tx: Db, { companyId, id }: ImportRow, values: Partial<ImportRow>): Promise<void> {
  await tx
    .update(curveImports)
    .set(values)
    .where(and(eq(curveImports.companyId, companyId), eq(curveImports.id, id)))
}

export async function startCurveImport(
  tx: Db,
  store: FileStore,
  actor: Actor,
  upload: { name: string; bytes: Uint8Array },
) {
  const name = sanitizeFileName(upload.name)
  if (!name) throw fieldError('name', 'Le fichier doit porter un nom, par exemple courbes.csv.')
  if (!upload.bytes.byteLength) throw fieldError('file', `Le fichier «\u00a0${name}\u00a0» est vide.`)
  const { companyId, userId } = actor
  const content = { name, mediaType: getMediaType(name), content: upload.bytes }
  const file = await storeFile(tx, store, companyId, content)
  const [row] = await tx
    .insert(curveImports)
    .values({ companyId, fileId: file.id, name, status: 'reading', createdBy: userId })
    .returning({ id: curveImports.id })
  if (!row) throw new AppError('internal')
  await enqueue(tx, 'curves.read', { companyId, importId: row.id })
  return loadCurveImport(tx, actor, row.id)
}

/** Reads the file again with the person's corrections; a reading in progress is ignored. */
export async function setReadingChoices(tx: Db, actor: Actor, id: string, choices: CurveImport['choices']) {
  const row = await lockCurveImport(tx, actor, id)
  requireImportState(row, ['reading', 'ready', 'refused'])
  const noQuestions = { questions: [], known: [] }
  const resetValues = {
    detected: null,
    asked: noQuestions,
    series: [],
    problems: [],
    counts: {},
    message: '',
    progress: 0,
    finishedAt: null,
  }
  await updateImport(tx, row, { ...resetValues, choices, status: 'reading' })
  await enqueue(tx, 'curves.read', { companyId: row.companyId, importId: id })
  return loadCurveImport(tx, actor, id)
}

/** Measured values are only replaced with consent, after showing the number of days and the energies. */
function requireOverwriteAccepted({ series }: CurveImport, overwrite: boolean): void {
  const sum = (key: 'overwrittenDays' | 'overwrittenBeforeWh' | 'overwrittenAfterWh') =>
    series.reduce((total, one) => total + one[key], 0)
  const days = sum('overwrittenDays')
  if (days === 0 || overwrite) return
  const kwh = (wh: number) => `${formatFrenchNumber(Math.round(wh) / 1000)}${NBSP}kWh`
  const what = formatCount(days, 'journée déjà enregistrée prendrait', 'journées déjà enregistrées prendraient')
  throw fieldError(
    'overwrite',
    `${what} d’autres valeurs${NBSP}: ${kwh(sum('overwrittenBeforeWh'))} deviendraient ${kwh(sum('overwrittenAfterWh'))}. Acceptez ce remplacement (overwrite${NBSP}: true) pour enregistrer.`,
  )
}

type CommitContext = { db: Db; secrets: Secrets; actor: Actor }

export async function commitImport(
  context: CommitContext,
  id: string,
  { overwrite = false, word: confirmation = {} }: { overwrite?: boolean | undefined; word?: ChangeConfirmation },
) {
  const { db: tx, actor } = context
  const row = await lockCurveImport(tx, actor, id)
  const job = { companyId: row.companyId, importId: id, userId: actor.userId, keyId: actor.keyId }
  // An import abandoned after many failures is resumed; a queued or running one is left alone.
  const resumed = row.status === 'storing' && (await enqueue(tx, 'curves.store', job, { once: id }))
  if (resumed) return loadCurveImport(tx, actor, id)
  requireImportState(row, ['ready'])
  const reviewedImport = await loadCurveImport(tx, actor, id)
  requireAnswers(reviewedImport)
  if (!reviewedImport.series.some(({ pointId }) => pointId))
    throw new AppError('conflict', { message: 'Aucune courbe de ce fichier n’est celle d’un point connu.' })
  requireOverwriteAccepted(reviewedImport, overwrite)
  await requirePreviewed(context, toImportChange(row, overwrite), confirmation, listTouchedDays(reviewedImport.series))
  await updateImport(tx, row, { status: 'storing', progress: 0, overwrite, seen: confirmation, message: '' })
  await enqueue(tx, 'curves.store', job, { once: id })
  return loadCurveImport(tx, actor, id)
}

export async function abandonImport(tx: Db, actor: Actor, id: string): Promise<ImportRow> {
  const row = await lockCurveImport(tx, actor, id)
  if (row.status === 'abandoned') return row
  requireImportState(row, ['reading', 'ready', 'refused'])
  await updateImport(tx, row, { status: 'abandoned', finishedAt: new Date() })
  return row
}

type WaitForPersonInput = { companyId: number; fileId: string } & Pick<RecordEventInput, 'by'>

/**
 * Turns an automatically received file that needs a person's answers into an import, and notifies people. The same
 * content waits once.
 */
export async function startImportAwaitingAnswers(tx: Db, { companyId, fileId, by }: WaitForPersonInput): Promise<void> {
  const [file] = await tx
    .select()
    .from(files)
    .where(and(eq(files.companyId, companyId), eq(files.id, fileId)))
  if (!file || (await hasOpenImportOfFile(tx, companyId, file.sha256))) return
  // A separate file record: the deposit may be deleted while the import keeps its file.
  const { name, mediaType, size, sha256 } = file
  const [own] = await tx.insert(files).values({ companyId, name, mediaType, size, sha256 }).returning({ id: files.id })
  if (!own) throw new AppError('internal')
  const [row] = await tx
    .insert(curveImports)
    .values({ companyId, fileId: own.id, name, status: 'reading' })
    .returning({ id: curveImports.id })
  if (!row) throw new AppError('internal')
  await enqueue(tx, 'curves.read', { companyId, importId: row.id })
  const data = { importId: row.id }
  await recordEvent(tx, { companyId, name: 'curves.asked', object: row.id, data, ...(by && { by }) })
}

async function hasOpenImportOfFile(tx: Db, companyId: number, sha256: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: curveImports.id })
    .from(curveImports)
    .innerJoin(files, and(eq(files.companyId, curveImports.companyId), eq(files.id, curveImports.fileId)))
    .where(
      and(
        eq(curveImports.companyId, companyId),
        eq(files.sha256, sha256),
        inArray(curveImports.status, ['reading', 'ready', 'storing']),
      ),
    )
    .limit(1)
  return row !== undefined
}
