import {
  ExportProfile,
  type NewExportProfile,
  type ProfileUpdate,
  type SavedProfile,
} from '@voisol/contract/book-settings'
import { and, asc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { bookProfiles } from '../../../db/schema/index.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { BUILT_IN } from './built-in-profiles.ts'

type Row = typeof bookProfiles.$inferSelect
const viewOf = ({ id, name, profile, version }: Row): SavedProfile => ({
  id,
  name,
  builtIn: false,
  profile: ExportProfile.parse(profile),
  version,
})

/** Those of common programs, then the company's own. */
export async function listProfiles(db: Db, companyId: number): Promise<SavedProfile[]> {
  const rows = await db
    .select()
    .from(bookProfiles)
    .where(eq(bookProfiles.companyId, companyId))
    .orderBy(asc(bookProfiles.name))
  return [...BUILT_IN, ...rows.map(viewOf)]
}

export async function findProfile(db: Db, companyId: number, id: string): Promise<SavedProfile> {
  const found = (await listProfiles(db, companyId)).find((one) => one.id === id)
  if (!found) throw fieldError('profile', 'Ce format d’export n’existe pas\u00a0: choisissez-en un de la liste.')
  return found
}

const taken = (name: string) => fieldError('name', `Un format s’appelle déjà «\u00a0${name}\u00a0».`, 'conflict')
async function refuseTwin(tx: Db, companyId: number, name: string, but?: string) {
  const twin = (await listProfiles(tx, companyId)).find((one) => one.name === name && one.id !== but)
  if (twin) throw taken(name)
}

export async function addProfile(tx: Db, companyId: number, { name, profile }: z.output<typeof NewExportProfile>) {
  await refuseTwin(tx, companyId, name)
  const [row] = await tx.insert(bookProfiles).values({ companyId, name, profile }).onConflictDoNothing().returning()
  if (!row) throw taken(name)
  return viewOf(row)
}

const one = (companyId: number, id: string) => and(eq(bookProfiles.companyId, companyId), eq(bookProfiles.id, id))
async function lockProfile(tx: Db, companyId: number, id: string): Promise<Row> {
  const [row] = await tx.select().from(bookProfiles).where(one(companyId, id)).for('update')
  if (!row) throw new AppError('not-found')
  return row
}

export async function updateProfile(tx: Db, companyId: number, id: string, update: z.output<typeof ProfileUpdate>) {
  const before = await lockProfile(tx, companyId, id)
  requireVersion(before, update)
  await refuseTwin(tx, companyId, update.name, id)
  const { name, profile, version } = update
  const [row] = await tx
    .update(bookProfiles)
    .set({ name, profile, version: version + 1 })
    .where(one(companyId, id))
    .returning()
  if (!row) throw new AppError('not-found')
  return { before: viewOf(before), after: viewOf(row) }
}

export async function removeProfile(tx: Db, companyId: number, id: string) {
  const before = await lockProfile(tx, companyId, id)
  await tx.delete(bookProfiles).where(one(companyId, id))
  return before.name
}
