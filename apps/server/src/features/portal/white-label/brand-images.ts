import { type BrandPicture, MAX_PICTURE_BYTES, type PictureKind } from '@voisol/contract/white-label'
import { and, eq, like, lt, notInArray } from 'drizzle-orm'
import type { z } from 'zod'
import { getFileKey, storeFile } from '../../../core/stored-files.ts'
import type { Db } from '../../../db/client.ts'
import { files, whiteLabels } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import type { FileStore } from '../../../integrations/files/files.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { lockActorCompany } from '../../identity/companies/index.ts'
import { getImageMediaType, sanitizeImage } from './sanitize-image.ts'

/** A slash stands in the name of no file that somebody gave. */
const PICTURE_PREFIX = 'brand-pictures/'
const DAY_MS = 86_400_000

const buildPicturePath = (companyId: number, file: string) => `/api/companies/${companyId}/brand-pictures/${file}`

const PICTURE_PATH_PATTERN = /^\/api\/companies\/\d+\/brand-pictures\/(([0-9a-f-]{36})\.\w+)$/
const getPictureId = (path: string) => PICTURE_PATH_PATTERN.exec(path)?.[2]

/** A picture of a company is its own, whichever number the company had when it was written: a copy may have given it another. */
export const toOwnPicturePath = (companyId: number, value: string) => {
  const file = PICTURE_PATH_PATTERN.exec(value)?.[1]
  return file ? buildPicturePath(companyId, file) : value
}

const REFUSAL_MESSAGES: Record<PictureKind, string> = {
  logo: 'Image attendue au format PNG, JPEG, WebP ou SVG, de 2\u00a0000 pixels de côté au plus. Un dessin SVG ne doit rien aller chercher ailleurs.',
  favicon: 'Icône attendue au format PNG, ICO, SVG, JPEG ou WebP.',
}

/** What was given and never taken into the look goes, a day later. */
async function deleteUnusedPictures(tx: Db, companyId: number) {
  const [row] = await tx.select().from(whiteLabels).where(eq(whiteLabels.companyId, companyId))
  const used = Object.values((row?.config ?? {}) as Record<string, unknown>) // the pictures among them are texts
    .flatMap((value) => (typeof value === 'string' ? (getPictureId(value) ?? []) : []))
  const gone = await tx
    .delete(files)
    .where(
      and(
        eq(files.companyId, companyId),
        like(files.name, `${PICTURE_PREFIX}%`),
        lt(files.createdAt, new Date(Date.now() - DAY_MS)),
        ...(used.length ? [notInArray(files.id, used)] : []),
      ),
    )
    .returning({ sha256: files.sha256 })
  for (const { sha256 } of gone) await enqueue(tx, 'documents.erase', { companyId, sha256 })
}

export async function uploadBrandPicture(
  tx: Db,
  store: FileStore,
  actor: Actor,
  { companyId, kind }: { companyId: number; kind: PictureKind },
  given: Uint8Array,
): Promise<z.output<typeof BrandPicture>> {
  await lockActorCompany(tx, actor, companyId)
  if (given.byteLength > MAX_PICTURE_BYTES[kind])
    throw fieldError('file', `Le fichier dépasse ${MAX_PICTURE_BYTES[kind] / 1000}\u00a0ko.`)
  const picture = await sanitizeImage(given)
  if (!picture || (kind === 'logo' && picture.extension === 'ico')) throw fieldError('file', REFUSAL_MESSAGES[kind])
  const { mediaType, extension, width, height, content } = picture
  await deleteUnusedPictures(tx, companyId)
  const row = await storeFile(tx, store, companyId, {
    name: `${PICTURE_PREFIX}${kind}.${extension}`,
    mediaType,
    content,
  })
  const src = buildPicturePath(companyId, `${row.id}.${extension}`)
  return { src, mediaType, size: content.byteLength, width, height }
}

/** For everybody: it stands on pages and in messages that are read before anybody is known. */
export async function loadBrandPicture(
  db: Db,
  store: FileStore,
  { companyId, file }: { companyId: number; file: string },
) {
  const [id = '', extension = ''] = file.split('.')
  const [row] = await db
    .select()
    .from(files)
    .where(and(eq(files.companyId, companyId), eq(files.id, id), like(files.name, `${PICTURE_PREFIX}%.${extension}`)))
  const content = row && (await store.get(getFileKey(row)))
  if (!content) throw new AppError('not-found')
  return { name: file, type: getImageMediaType(extension), shown: true as const, alone: true as const, content }
}
