import type { CredentialDraft, EnedisBackend, EnedisCredential, EnedisEnvironment } from '@voisol/contract/enedis'
import { and, eq, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import { EnedisError } from '../../../adapters/enedis/faults.ts'
import { refuseInExample } from '../../../core/example.ts'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { enedisCredentials, syncTasks } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { frenchTime } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError, toAppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { hostOf, signIn } from './connect.ts'
import { addCredential, type CredentialRow, credentialFor, openKeys, sealKeys } from './credentials.ts'
import { credentialScope, findCredential, getCredential } from './view.ts'

type Opened = Pick<Deps, 'secrets' | 'enedis'>
type Draft = z.output<typeof CredentialDraft>
type Replacement = Omit<Draft, 'operationId'> & { version: number }
type Signed = { environment: EnedisEnvironment; clientId: string; clientSecret: string }

/** A person waits for the answer. */
const TEST_MS = 10_000
const TESTED = 'Connexion réussie.'
/** A pause of a few seconds is the pace of the calls, not a suspension. */
const BRIEF_MS = 5000
const AGAIN = 'Réessayez dans quelques minutes.'

/** Why the sign-in fails, and what to do about it. */
function reasonOf({ fault }: EnedisError): string {
  const remedy = fault.nature === 'transient' ? AGAIN : fault.remedy
  const own = fault.message && fault.message !== fault.explanation ? ` (${fault.message.slice(0, 200)})` : ''
  return `${fault.explanation} ${remedy}${own}`
}

async function outcomeOf(deps: Opened, { environment, ...keys }: Signed): Promise<EnedisError | undefined> {
  try {
    await signIn(deps, environment, keys, { timeout: TEST_MS })
    return undefined
  } catch (error) {
    if (error instanceof EnedisError) return error
    throw error
  }
}

/** Nothing that does not open the door is kept. */
async function requireSignIn(deps: Opened, signed: Signed) {
  if (!hostOf(deps, signed.environment))
    throw fieldError('environment', 'Le bac à sable local n’est pas démarré\u00a0: choisissez un autre environnement.')
  const error = await outcomeOf(deps, signed)
  if (!error) return
  const field = error.fault.nature === 'transient' || error.fault.nature === 'answer' ? 'environment' : 'clientSecret'
  throw fieldError(field, `${reasonOf(error)} Rien n’a été enregistré.`)
}

async function requireOperation(tx: Db, actor: Actor, id: string | null) {
  if (id === null) return
  try {
    await findOperation(tx, actor, id)
  } catch (error) {
    if (toAppError(error)?.code !== 'not-found') throw error
    throw fieldError('operationId', 'Cette opération n’existe pas ou ne vous est pas accessible.')
  }
}

const taken = () =>
  fieldError(
    'operationId',
    'Des identifiants existent déjà à cet endroit\u00a0: remplacez-les plutôt que d’en ajouter.',
    'conflict',
  )
const tested = () => ({ testedAt: new Date(), testOk: true, testMessage: TESTED })

export async function saveCredential(tx: Db, deps: Opened, actor: Actor, draft: Draft): Promise<EnedisCredential> {
  const { companyId } = actor
  const { operationId } = draft
  await refuseInExample(tx, companyId)
  await requireOperation(tx, actor, operationId)
  const known = await credentialFor(tx, companyId, operationId)
  if (known && known.operationId === operationId) throw taken()
  await requireSignIn(deps, draft)
  const row = await addCredential(tx, deps.secrets, { ...draft, companyId })
  if (!row) throw taken()
  await change(tx, row, tested())
  return getCredential(tx, actor, row.id)
}

const change = (tx: Db, { companyId, id }: CredentialRow, values: Partial<CredentialRow>) =>
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

const known = ({ environment, backend, version }: { environment: string; backend: string; version: number }) => ({
  environment,
  backend,
  version,
})

/** The test comes before the lock: calls of a task that runs do not wait for it. */
export async function replaceCredential(tx: Db, deps: Opened, actor: Actor, id: string, wanted: Replacement) {
  requireVersion(known(await findCredential(tx, actor, id)), known(wanted))
  await requireSignIn(deps, wanted)
  const before = await lockCredential(tx, actor, id)
  requireVersion(known(before), known(wanted))
  await change(tx, before, {
    environment: wanted.environment,
    backend: wanted.backend satisfies EnedisBackend,
    ...sealKeys(deps.secrets, before, wanted),
    ...tested(),
    circuit: 'closed',
    circuitFailures: 0,
    pausedUntil: null,
    toldUntil: null,
    refusingSince: null,
    version: before.version + 1,
  })
  return { before, after: await getCredential(tx, actor, id) }
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

/** While calls are suspended, nobody is told that all is well. */
function suspendedWords({ pausedUntil, toldUntil }: CredentialRow, now: Date): string | undefined {
  if (!pausedUntil || pausedUntil.getTime() <= now.getTime() + BRIEF_MS) return undefined
  const until = frenchTime(Math.ceil(pausedUntil.getTime() / 60_000))
  return toldUntil && toldUntil > now
    ? `Les appels sont suspendus jusqu’au ${until}\u00a0: le distributeur a demandé d’attendre. La connexion n’a pas été essayée.`
    : `Les identifiants sont acceptés, mais les appels restent suspendus jusqu’au ${until}, où l’un d’eux essaiera.`
}

/** What is kept is tried as it is, unless the distributor asked to wait; the result is shown with it. */
export async function testCredential(tx: Db, deps: Opened, actor: Actor, id: string): Promise<EnedisCredential> {
  const row = await findCredential(tx, actor, id)
  const now = new Date()
  const suspended = suspendedWords(row, now)
  // Nothing was tried: what is kept of the last test stays.
  if (suspended && row.toldUntil && row.toldUntil > now)
    return { ...(await getCredential(tx, actor, id)), testOk: false, testMessage: suspended }
  const environment = row.environment as EnedisEnvironment // checked by the contract before it was written
  const error = await outcomeOf(deps, { environment, ...openKeys(deps.secrets, row) })
  await change(tx, row, error ? { ...tested(), testOk: false, testMessage: reasonOf(error) } : tested())
  const after = await getCredential(tx, actor, id)
  return error || !suspended ? after : { ...after, testMessage: suspended }
}
