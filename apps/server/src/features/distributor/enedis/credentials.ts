import type { EnedisBackend, EnedisEnvironment } from '@voisol/contract/enedis'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { requireNotExampleCompany } from '../../../core/example.ts'
import type { Db } from '../../../db/client.ts'
import { enedisCredentials } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { SIMULATOR_CLIENT } from '../../../sandbox/client.ts'
import type { Secrets } from '../../../secrets.ts'

export type CredentialRow = typeof enedisCredentials.$inferSelect
export type ClientKeys = { clientId: string; clientSecret: string }
type CredentialPlace = Pick<CredentialRow, 'companyId' | 'id'>

/** Binds each encrypted value to its row and column: copied elsewhere, it cannot be decrypted. */
const getCredentialSealContext = ({ companyId, id }: CredentialPlace, part: string) =>
  `enedis ${part} ${companyId} ${id}`

export const sealClientKeys = (secrets: Secrets, place: CredentialPlace, { clientId, clientSecret }: ClientKeys) => ({
  clientId: secrets.seal(clientId, getCredentialSealContext(place, 'client')),
  clientSecret: secrets.seal(clientSecret, getCredentialSealContext(place, 'secret')),
  hint: clientId.slice(-Math.min(4, Math.floor(clientId.length / 2))),
})

/** For API calls only; no screen shows them again. */
export const decryptClientKeys = (secrets: Secrets, row: CredentialRow): ClientKeys => ({
  clientId: secrets.open(row.clientId, getCredentialSealContext(row, 'client')),
  clientSecret: secrets.open(row.clientSecret, getCredentialSealContext(row, 'secret')),
})

/** The credential of the operation, or else that of the company. */
export async function findCredentialFor(
  db: Db,
  companyId: number,
  operationId: string | null,
): Promise<CredentialRow | undefined> {
  const { operationId: column } = enedisCredentials
  const [row] = await db
    .select()
    .from(enedisCredentials)
    .where(
      and(
        eq(enedisCredentials.companyId, companyId),
        operationId === null ? isNull(column) : or(isNull(column), eq(column, operationId)),
      ),
    )
    .orderBy(sql`${column} is null`)
    .limit(1)
  return row
}

type NewCredential = ClientKeys & { companyId: number; operationId: string | null; environment: EnedisEnvironment }
/** Undefined when a credential exists already for this operation or company. */
export async function insertCredential(
  tx: Db,
  secrets: Secrets,
  { companyId, operationId, environment, backend, ...keys }: NewCredential & { backend: EnedisBackend },
) {
  const id = crypto.randomUUID()
  const [row] = await tx
    .insert(enedisCredentials)
    .values({ companyId, id, operationId, environment, backend, ...sealClientKeys(secrets, { companyId, id }, keys) })
    .onConflictDoNothing()
    .returning()
  return row
}

/** Like `findCredentialFor`, but falls back to the built-in simulator. */
export async function getOrCreateCredential(
  tx: Db,
  deps: Pick<Deps, 'secrets' | 'enedis'>,
  companyId: number,
  operationId: string | null,
): Promise<CredentialRow> {
  const known = await findCredentialFor(tx, companyId, operationId)
  if (known) return known
  await requireNotExampleCompany(tx, companyId)
  if (!deps.enedis.hosts.local)
    throw new AppError('conflict', {
      message:
        'Aucun identifiant Enedis n’est enregistré\u00a0: saisissez ceux de l’entreprise ou de l’opération à l’adresse /enedis-api.',
    })
  const local = { environment: 'local', backend: 'dataconnect-v2', ...SIMULATOR_CLIENT } as const
  const made = await insertCredential(tx, deps.secrets, { companyId, operationId: null, ...local })
  const row = made ?? (await findCredentialFor(tx, companyId, operationId))
  if (!row) throw new AppError('internal')
  return row
}
