import type { EnedisBackend, EnedisEnvironment } from '@voisol/contract/enedis'
import { SIMULATOR_CLIENT } from '@voisol/simulator/client'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { requireNotExampleCompany } from '../../../core/company-state.ts'
import type { Db } from '../../../db/client.ts'
import { enedisCredentials } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { type EnedisInterface, OTHER_TEMPLATES } from '../../../integrations/enedis/call-templates.ts'
import { createEnedisClient } from '../../../integrations/enedis/client.ts'
import {
  buildCallUrl,
  type ClientCredentials,
  createEnedisToken,
} from '../../../integrations/enedis/enedis-exchange.ts'
import { buildDistributorFault, EnedisError } from '../../../integrations/enedis/enedis-faults.ts'
import type { EnedisClient, ExchangeTrace } from '../../../integrations/enedis/enedis-types.ts'
import type { Secrets } from '../../../secrets.ts'

export type CredentialRow = typeof enedisCredentials.$inferSelect
type ClientKeys = { clientId: string; clientSecret: string }
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

type ConnectDeps = Pick<Deps, 'secrets' | 'enedis'>

const ignoreTrace = () => {}

export const findEnedisHost = (deps: ConnectDeps, environment: string): string | null =>
  environment === 'local' || environment === 'sandbox' || environment === 'production'
    ? deps.enedis.hosts[environment]
    : null

/** While the simulator is not running, every call fails like a network error and is retried later. */
function createOfflineClient(): EnedisClient {
  const fail = () =>
    Promise.reject(new EnedisError(buildDistributorFault('network', null, 'Le bac à sable local n’est pas démarré.')))
  return {
    perimeter: fail,
    loadCurve: fail,
    dailyEnergy: fail,
    agreements: fail,
    agreement: fail,
    series: fail,
    definitiveEnergy: fail,
    services: fail,
    uploadKeys: fail,
  }
}

type ConnectOptions = {
  listen?: (trace: ExchangeTrace) => void
  /** Milliseconds before a call is aborted. */
  timeout?: number | undefined
  now?: () => number
  /** Waits for a rate limit slot before each further exchange of a call. */
  turn?: () => Promise<void>
}

/** Creates the API client of a credential. */
export function connectToEnedis(
  deps: ConnectDeps,
  credential: CredentialRow,
  options: ConnectOptions = {},
): EnedisClient {
  const host = findEnedisHost(deps, credential.environment)
  if (!host) return createOfflineClient()
  const keys = decryptClientKeys(deps.secrets, credential)
  const backend = credential.backend as EnedisInterface // checked by the contract before it was written
  const address = buildCallUrl(host, OTHER_TEMPLATES.token, {})
  const token = deps.enedis.tokens.of(credential.id, `${credential.version} ${host}`, () =>
    createEnedisToken(address, keys, { listen: ignoreTrace }),
  )
  return createEnedisClient({ host, backend, ...keys, token, ...options })
}

/** Requests a new token even when a valid one is cached: used to test the credential. */
export async function signInToEnedis(
  deps: ConnectDeps,
  environment: string,
  keys: ClientCredentials,
  { listen = ignoreTrace, timeout }: { listen?: (trace: ExchangeTrace) => void; timeout?: number } = {},
): Promise<void> {
  const host = findEnedisHost(deps, environment)
  if (!host) throw new EnedisError(buildDistributorFault('network', null, 'Le bac à sable local n’est pas démarré.'))
  await createEnedisToken(buildCallUrl(host, OTHER_TEMPLATES.token, {}), keys, { listen, timeout }).get()
}
