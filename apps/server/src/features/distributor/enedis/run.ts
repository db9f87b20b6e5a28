import type { EnedisTrace } from '@voisol/contract/enedis'
import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { readParams, type Values } from './call-params.ts'
import { CALLS, type Call, FAULTS } from './calls.ts'
import { signIn } from './connect.ts'
import { type CredentialRow, ensureCredential, openKeys } from './credentials.ts'
import { callThrough, type Through } from './through.ts'
import { findCredential } from './view.ts'

/** The one that is named; otherwise the operation's or the company's, the stand-in where there is none. */
export const chosenCredential = (
  deps: Through,
  actor: Actor,
  id: string | undefined,
  operationId: string | null = null,
): Promise<CredentialRow> =>
  id ? findCredential(deps.db, actor, id) : ensureCredential(deps.aside, deps, actor.companyId, operationId)

type Mine = { acc: string | null; consumption: string | null; production: string | null }
/** A convention of the company's and two of its points: examples that can be run. */
async function examplesOf(db: Db, companyId: number): Promise<Mine | undefined> {
  const one = (direction: string) => sql`(
    select p.prm from participations m join points p on p.company_id = m.company_id and p.id = m.point_id
     where m.company_id = o.company_id and m.operation_id = o.id
       and p.direction = ${direction} and m.ends_on is null order by p.prm limit 1)`
  const { rows } = await db.execute<Mine>(sql`
    select o.acc_number as acc, ${one('consumption')} as consumption, ${one('production')} as production
      from operations o
     where o.company_id = ${companyId} and o.acc_number is not null and o.status = 'active'
     order by o.created_at, o.id limit 1`)
  return rows[0]
}

function exampleOf({ id }: Call, name: string, mine: Mine | undefined): string | null | undefined {
  if (name === 'acc') return mine?.acc
  if (name === 'consumer') return mine?.consumption
  if (name === 'prm') return id.endsWith('production') || id === 'keys' ? mine?.production : mine?.consumption
  // What is definitive is so once the month is over.
  const month = monthOf(today())
  const settled = id === 'series' || id === 'quantities'
  if (name === 'from') return settled ? addMonths(month, -1) : addDays(today(), -8)
  if (name === 'to') return settled ? month : addDays(today(), -1)
  return undefined
}

export async function listCalls(db: Db, { companyId }: Actor) {
  const mine = await examplesOf(db, companyId)
  const calls = CALLS.map((call) => ({
    ...call,
    params: call.params.map((param) => ({ ...param, example: exampleOf(call, param.name, mine) || param.example })),
  }))
  return { calls, faults: FAULTS }
}

type Asked = { credentialId?: string | undefined; call: string; params: Values }
const MEASURES = ['dataconnect-v2', 'dataconnect-v1', 'holder']

/** One call by hand: through the interface it belongs to, whichever the credential prefers. */
export async function runCall(deps: Through, actor: Actor, asked: Asked): Promise<EnedisTrace> {
  const call = CALLS.find(({ id }) => id === asked.call)
  if (!call) throw fieldError('call', 'Cet appel n’existe pas\u00a0: choisissez-en un dans la liste.')
  const values = readParams(call.params, asked.params, call.mostDays)
  const credential = await chosenCredential(deps, actor, asked.credentialId)
  if (call.kind === 'writes' && credential.environment === 'production')
    throw new AppError('conflict', {
      message: 'Un envoi de coefficients ne s’essaie pas en production\u00a0: choisissez un bac à sable.',
    })
  const backend = MEASURES.includes(call.backend) ? call.backend : credential.backend
  const { trace } = await callThrough(deps, { ...credential, backend }, (enedis, listen) =>
    call.kind === 'sign-in'
      ? signIn(deps, credential.environment, openKeys(deps.secrets, credential), { listen })
      : call.run(enedis, values),
  )
  return trace
}
