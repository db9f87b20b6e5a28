import {
  ExportProfile,
  type ExportProfileUpdate,
  type NewExportProfile,
  type SavedProfile,
} from '@voisol/contract/book-settings'
import { and, asc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { bookProfiles } from '../../../db/schema/index.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { BUILT_IN_PROFILES } from './built-in-profiles.ts'

type Row = typeof bookProfiles.$inferSelect
const toSavedProfile = ({ id, name, profile, version }: Row): SavedProfile => ({
  id,
  name,
  builtIn: false,
  profile: ExportProfile.parse(profile),
  version,
})

/** The built-in export profiles, then the company's own. */
export async function listExportProfiles(db: Db, companyId: number): Promise<SavedProfile[]> {
  const rows = await db
    .select()
    .from(bookProfiles)
    .where(eq(bookProfiles.companyId, companyId))
    .orderBy(asc(bookProfiles.name))
  return [...BUILT_IN_PROFILES, ...rows.map(toSavedProfile)]
}

export async function requireProfile(db: Db, companyId: number, id: string): Promise<SavedProfile> {
  const found = (await listExportProfiles(db, companyId)).find((one) => one.id === id)
  if (!found) throw fieldError('profile', 'Ce format d’export n’existe pas\u00a0: choisissez-en un de la liste.')
  return found
}

const buildNameTakenError = (name: string) =>
  fieldError('name', `Un format s’appelle déjà «\u00a0${name}\u00a0».`, 'conflict')
async function requireFreeName(tx: Db, companyId: number, name: string, exceptId?: string) {
  const twin = (await listExportProfiles(tx, companyId)).find((one) => one.name === name && one.id !== exceptId)
  if (twin) throw buildNameTakenError(name)
}

export async function addExportProfile(
  tx: Db,
  companyId: number,
  { name, profile }: z.output<typeof NewExportProfile>,
) {
  await requireFreeName(tx, companyId, name)
  const [row] = await tx.insert(bookProfiles).values({ companyId, name, profile }).onConflictDoNothing().returning()
  if (!row) throw buildNameTakenError(name)
  return toSavedProfile(row)
}

const whereProfile = (companyId: number, id: string) =>
  and(eq(bookProfiles.companyId, companyId), eq(bookProfiles.id, id))
async function lockProfile(tx: Db, companyId: number, id: string): Promise<Row> {
  const [row] = await tx.select().from(bookProfiles).where(whereProfile(companyId, id)).for('update')
  if (!row) throw new AppError('not-found')
  return row
}

export async function updateExportProfile(
  tx: Db,
  companyId: number,
  id: string,
  update: z.output<typeof ExportProfileUpdate>,
) {
  const before = await lockProfile(tx, companyId, id)
  requireCurrentVersion(before, update)
  await requireFreeName(tx, companyId, update.name, id)
  const { name, profile, version } = update
  const [row] = await tx
    .update(bookProfiles)
    .set({ name, profile, version: version + 1 })
    .where(whereProfile(companyId, id))
    .returning()
  if (!row) throw new AppError('not-found')
  return { before: toSavedProfile(before), after: toSavedProfile(row) }
}

export async function removeExportProfile(tx: Db, companyId: number, id: string) {
  const before = await lockProfile(tx, companyId, id)
  await tx.delete(bookProfiles).where(whereProfile(companyId, id))
  return before.name
}
