import type { EnedisBackend, EnedisEnvironment } from '@voisol/contract/enedis'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { refuseInExample } from '../../../core/example.ts'
import type { Db } from '../../../db/client.ts'
import { enedisCredentials } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { SANDBOX_CLIENT } from '../../../sandbox/client.ts'
import type { Secrets } from '../../../secrets.ts'

export type CredentialRow = typeof enedisCredentials.$inferSelect
export type Keys = { clientId: string; clientSecret: string }
type Place = Pick<CredentialRow, 'companyId' | 'id'>

/** Where each of the two is sealed: a copy in another row, or in the other column, does not open. */
const placeOf = ({ companyId, id }: Place, part: string) => `enedis ${part} ${companyId} ${id}`

export const sealKeys = (secrets: Secrets, place: Place, { clientId, clientSecret }: Keys) => ({
  clientId: secrets.seal(clientId, placeOf(place, 'client')),
  clientSecret: secrets.seal(clientSecret, placeOf(place, 'secret')),
  hint: clientId.slice(-Math.min(4, Math.floor(clientId.length / 2))),
})

/** For the calls themselves: nothing shows them again. */
export const openKeys = (secrets: Secrets, row: CredentialRow): Keys => ({
  clientId: secrets.open(row.clientId, placeOf(row, 'client')),
  clientSecret: secrets.open(row.clientSecret, placeOf(row, 'secret')),
})

/** The operation's own, else the one for all operations of the company. */
export async function credentialFor(
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

type Made = Keys & { companyId: number; operationId: string | null; environment: EnedisEnvironment }
/** Undefined where the place is taken. */
export async function addCredential(
  tx: Db,
  secrets: Secrets,
  { companyId, operationId, environment, backend, ...keys }: Made & { backend: EnedisBackend },
) {
  const id = crypto.randomUUID()
  const [row] = await tx
    .insert(enedisCredentials)
    .values({ companyId, id, operationId, environment, backend, ...sealKeys(secrets, { companyId, id }, keys) })
    .onConflictDoNothing()
    .returning()
  return row
}

/** As `credentialFor`; where there is none, the stand-in that comes with the product serves the company. */
export async function ensureCredential(
  tx: Db,
  deps: Pick<Deps, 'secrets' | 'enedis'>,
  companyId: number,
  operationId: string | null,
): Promise<CredentialRow> {
  const known = await credentialFor(tx, companyId, operationId)
  if (known) return known
  await refuseInExample(tx, companyId)
  if (!deps.enedis.hosts.local)
    throw new AppError('conflict', {
      message:
        'Aucun identifiant Enedis n’est enregistré\u00a0: saisissez ceux de l’entreprise ou de l’opération à l’adresse /enedis-api.',
    })
  const local = { environment: 'local', backend: 'dataconnect-v2', ...SANDBOX_CLIENT } as const
  const made = await addCredential(tx, deps.secrets, { companyId, operationId: null, ...local })
  const row = made ?? (await credentialFor(tx, companyId, operationId))
  if (!row) throw new AppError('internal')
  return row
}
