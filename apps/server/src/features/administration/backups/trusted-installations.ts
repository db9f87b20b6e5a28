import type { TrustedInstallation } from '@voisol/contract/backups'
import { asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { isDatabaseRefusal } from '../../../db/refusal.ts'
import { trustedInstallations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getOwnPublicKeys } from './archive-signature.ts'
import type { TrustedKey } from './open-archive.ts'

type Row = typeof trustedInstallations.$inferSelect
const toTrustedInstallation = ({ createdAt, ...row }: Row): TrustedInstallation => ({
  ...row,
  createdAt: createdAt.toISOString(),
})

export async function listTrustedInstallations({ db, secrets }: Pick<Deps, 'db' | 'secrets'>) {
  const rows = await db.select().from(trustedInstallations).orderBy(asc(trustedInstallations.name))
  return { publicKey: getOwnPublicKeys(secrets)[0] ?? '', items: rows.map(toTrustedInstallation) }
}

/** Whose archives are believed: this installation's own, and those that the owner of the site entered. */
export async function listTrustedKeys({ db, secrets }: Pick<Deps, 'db' | 'secrets'>): Promise<TrustedKey[]> {
  const own = getOwnPublicKeys(secrets).map((publicKey) => ({ name: 'cette installation', publicKey }))
  const { items } = await listTrustedInstallations({ db, secrets })
  return [...own, ...items.map(({ name, publicKey }) => ({ name, publicKey }))]
}

type NewTrustedInstallation = Pick<Row, 'name' | 'publicKey' | 'addedBy'>
export async function addTrustedInstallation(tx: Db, deps: Pick<Deps, 'secrets'>, values: NewTrustedInstallation) {
  if (getOwnPublicKeys(deps.secrets).includes(values.publicKey))
    throw fieldError('publicKey', 'C’est la clé de cette installation\u00a0: elle est déjà de confiance.')
  try {
    const [row] = await tx.insert(trustedInstallations).values(values).returning()
    if (row) return toTrustedInstallation(row)
  } catch (error) {
    if (isDatabaseRefusal(error, 'twin')) throw fieldError('publicKey', 'Cette clé est déjà dans la liste.', 'conflict')
    throw error
  }
  throw new AppError('internal')
}

export async function removeTrustedInstallation(tx: Db, id: string): Promise<string> {
  const [row] = await tx.delete(trustedInstallations).where(eq(trustedInstallations.id, id)).returning()
  if (!row) throw new AppError('not-found')
  return row.name
}
