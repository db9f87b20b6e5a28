import type { CredentialDraft, EnedisBackend, EnedisCredential, EnedisEnvironment } from '@voisol/contract/enedis'
import { formatFrenchTime } from '@voisol/file-formats/french'
import { and, eq, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import { requireNotExampleCompany } from '../../../core/company-state.ts'
import type { Db } from '../../../db/client.ts'
import { enedisCredentials, syncTasks } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError, toAppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { EnedisError } from '../../../integrations/enedis/enedis-faults.ts'
import { credentialScope, loadCredential, loadCredentialView } from './credential-queries.ts'
import {
  type CredentialRow,
  decryptClientKeys,
  findCredentialFor,
  findEnedisHost,
  insertCredential,
  sealClientKeys,
  signInToEnedis,
} from './credentials.ts'

type CredentialDeps = Pick<Deps, 'secrets' | 'enedis'>
type SaveCredentialInput = z.output<typeof CredentialDraft>
type ReplaceCredentialInput = Omit<SaveCredentialInput, 'operationId'> & { version: number }
type SignInInput = { environment: EnedisEnvironment; clientId: string; clientSecret: string }

/** A user waits for the result. */
const TEST_TIMEOUT_MS = 10_000
const TEST_OK_MESSAGE = 'Connexion réussie.'
/** A shorter pause comes from the rate limit and is not a suspension. */
const MAX_PACE_PAUSE_MS = 5000
const RETRY_MESSAGE = 'Réessayez dans quelques minutes.'

/** Explains a failed sign-in and its remedy. */
function describeSignInFailure({ fault }: EnedisError): string {
  const remedy = fault.nature === 'transient' ? RETRY_MESSAGE : fault.remedy
  const own = fault.message && fault.message !== fault.explanation ? ` (${fault.message.slice(0, 200)})` : ''
  return `${fault.explanation} ${remedy}${own}`
}

async function trySignIn(
  deps: CredentialDeps,
  { environment, ...keys }: SignInInput,
): Promise<EnedisError | undefined> {
  try {
    await signInToEnedis(deps, environment, keys, { timeout: TEST_TIMEOUT_MS })
    return undefined
  } catch (error) {
    if (error instanceof EnedisError) return error
    throw error
  }
}

/** Refuses credentials that cannot sign in. */
async function requireSignIn(deps: CredentialDeps, signed: SignInInput) {
  if (!findEnedisHost(deps, signed.environment))
    throw fieldError('environment', 'Le bac à sable local n’est pas démarré\u00a0: choisissez un autre environnement.')
  const error = await trySignIn(deps, signed)
  if (!error) return
  const field = error.fault.nature === 'transient' || error.fault.nature === 'answer' ? 'environment' : 'clientSecret'
  throw fieldError(field, `${describeSignInFailure(error)} Rien n’a été enregistré.`)
}

async function requireOperation(tx: Db, actor: Actor, id: string | null) {
  if (id === null) return
  try {
    await requireVisibleOperation(tx, actor, id)
  } catch (error) {
    if (toAppError(error)?.code !== 'not-found') throw error
    throw fieldError('operationId', 'Cette opération n’existe pas ou ne vous est pas accessible.')
  }
}

const buildTakenError = () =>
  fieldError(
    'operationId',
    'Des identifiants existent déjà à cet endroit\u00a0: remplacez-les plutôt que d’en ajouter.',
    'conflict',
  )
const buildTestOkColumns = () => ({ testedAt: new Date(), testOk: true, testMessage: TEST_OK_MESSAGE })

export async function saveCredential(
  tx: Db,
  deps: CredentialDeps,
  actor: Actor,
  draft: SaveCredentialInput,
): Promise<EnedisCredential> {
  const { companyId } = actor
  const { operationId } = draft
  await requireNotExampleCompany(tx, companyId)
  await requireOperation(tx, actor, operationId)
  const known = await findCredentialFor(tx, companyId, operationId)
  if (known && known.operationId === operationId) throw buildTakenError()
  await requireSignIn(deps, draft)
  const row = await insertCredential(tx, deps.secrets, { ...draft, companyId })
  if (!row) throw buildTakenError()
  await updateCredentialRow(tx, row, buildTestOkColumns())
  return loadCredentialView(tx, actor, row.id)
}

const updateCredentialRow = (tx: Db, { companyId, id }: CredentialRow, values: Partial<CredentialRow>) =>
  tx
    .update(enedisCredentials)
    .set(values)
    .where(and(eq(enedisCredentials.companyId, companyId), eq(enedisCredentials.id, id)))

async function lockCredential(tx: Db, actor: Actor, id: string): Promise<CredentialRow> {
  const [row] = await tx
    .select()
    .from(enedisCredentials)
    .where(and(credentialScope(actor), eq(enedisCredentials.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

const pickVersionFields = ({
  environment,
  backend,
  version,
}: {
  environment: string
  backend: string
  version: number
}) => ({
  environment,
  backend,
  version,
})

/** The test runs before the row is locked, so that calls of a running task are not blocked. */
export async function replaceCredential(
  tx: Db,
  deps: CredentialDeps,
  actor: Actor,
  id: string,
  input: ReplaceCredentialInput,
) {
  requireCurrentVersion(pickVersionFields(await loadCredential(tx, actor, id)), pickVersionFields(input))
  await requireSignIn(deps, input)
  const before = await lockCredential(tx, actor, id)
  requireCurrentVersion(pickVersionFields(before), pickVersionFields(input))
  await updateCredentialRow(tx, before, {
    environment: input.environment,
    backend: input.backend satisfies EnedisBackend,
    ...sealClientKeys(deps.secrets, before, input),
    ...buildTestOkColumns(),
    circuit: 'closed',
    circuitFailures: 0,
    pausedUntil: null,
    toldUntil: null,
    refusingSince: null,
    version: before.version + 1,
  })
  return { before, after: await loadCredentialView(tx, actor, id) }
}

export async function removeCredential(tx: Db, actor: Actor, id: string): Promise<CredentialRow> {
  const row = await lockCredential(tx, actor, id)
  const mine = and(eq(syncTasks.companyId, row.companyId), eq(syncTasks.credentialId, id))
  const [busy] = await tx
    .select({ id: syncTasks.id })
    .from(syncTasks)
    .where(and(mine, inArray(syncTasks.status, ['waiting', 'running'])))
    .limit(1)
  if (busy)
    throw new AppError('conflict', {
      message: 'Une tâche de synchronisation se sert de ces identifiants\u00a0: annulez-la ou attendez sa fin.',
    })
  await tx.delete(enedisCredentials).where(and(credentialScope(actor), eq(enedisCredentials.id, id)))
  return row
}

/** While calls are suspended, a successful test still says so. */
function describeSuspension({ pausedUntil, toldUntil }: CredentialRow, now: Date): string | undefined {
  if (!pausedUntil || pausedUntil.getTime() <= now.getTime() + MAX_PACE_PAUSE_MS) return undefined
  const until = formatFrenchTime(Math.ceil(pausedUntil.getTime() / 60_000))
  return toldUntil && toldUntil > now
    ? `Les appels sont suspendus jusqu’au ${until}\u00a0: le distributeur a demandé d’attendre. La connexion n’a pas été essayée.`
    : `Les identifiants sont acceptés, mais les appels restent suspendus jusqu’au ${until}, où l’un d’eux essaiera.`
}

/** Tests the stored credential, unless the distributor asked to wait, and returns the result. */
export async function testCredential(
  tx: Db,
  deps: CredentialDeps,
  actor: Actor,
  id: string,
): Promise<EnedisCredential> {
  const row = await loadCredential(tx, actor, id)
  const now = new Date()
  const suspended = describeSuspension(row, now)
  // Nothing was tested: the result of the last test stays.
  if (suspended && row.toldUntil && row.toldUntil > now)
    return { ...(await loadCredentialView(tx, actor, id)), testOk: false, testMessage: suspended }
  const environment = row.environment as EnedisEnvironment // checked by the contract before it was written
  const error = await trySignIn(deps, { environment, ...decryptClientKeys(deps.secrets, row) })
  await updateCredentialRow(
    tx,
    row,
    error
      ? { ...buildTestOkColumns(), testOk: false, testMessage: describeSignInFailure(error) }
      : buildTestOkColumns(),
  )
  const after = await loadCredentialView(tx, actor, id)
  return error || !suspended ? after : { ...after, testMessage: suspended }
}
