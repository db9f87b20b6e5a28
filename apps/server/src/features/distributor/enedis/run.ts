import type { EnedisTrace } from '@voisol/contract/enedis'
import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { type ParamValues, parseCallParams } from './call-params.ts'
import { ENEDIS_CALLS, ENEDIS_FAULTS, type EnedisCallDefinition } from './calls.ts'
import { signInToEnedis } from './connect.ts'
import { type CredentialRow, decryptClientKeys, getOrCreateCredential } from './credentials.ts'
import { callEnedis, type EnedisCallDeps } from './through.ts'
import { loadCredential } from './view.ts'

/** The named credential, or that of the operation or company, or else the simulator. */
export const chooseCredential = (
  deps: EnedisCallDeps,
  actor: Actor,
  id: string | undefined,
  operationId: string | null = null,
): Promise<CredentialRow> =>
  id ? loadCredential(deps.db, actor, id) : getOrCreateCredential(deps.aside, deps, actor.companyId, operationId)

type CompanyExamples = { acc: string | null; consumption: string | null; production: string | null }
/** An agreement of the company and two of its points, as examples that can be run. */
async function loadCompanyExamples(db: Db, companyId: number): Promise<CompanyExamples | undefined> {
  const one = (direction: string) => sql`(
    select p.prm from participations m join points p on p.company_id = m.company_id and p.id = m.point_id
     where m.company_id = o.company_id and m.operation_id = o.id
       and p.direction = ${direction} and m.ends_on is null order by p.prm limit 1)`
  const { rows } = await db.execute<CompanyExamples>(sql`
    select o.acc_number as acc, ${one('consumption')} as consumption, ${one('production')} as production
      from operations o
     where o.company_id = ${companyId} and o.acc_number is not null and o.status = 'active'
     order by o.created_at, o.id limit 1`)
  return rows[0]
}

function getParamExample(
  { id }: EnedisCallDefinition,
  name: string,
  mine: CompanyExamples | undefined,
): string | null | undefined {
  if (name === 'acc') return mine?.acc
  if (name === 'consumer') return mine?.consumption
  if (name === 'prm') return id.endsWith('production') || id === 'keys' ? mine?.production : mine?.consumption
  // Definitive data exists once the month has ended.
  const month = monthOf(getToday())
  const settled = id === 'series' || id === 'quantities'
  if (name === 'from') return settled ? addMonths(month, -1) : addDays(getToday(), -8)
  if (name === 'to') return settled ? month : addDays(getToday(), -1)
  return undefined
}

export async function listEnedisCalls(db: Db, { companyId }: Actor) {
  const mine = await loadCompanyExamples(db, companyId)
  const calls = ENEDIS_CALLS.map((call) => ({
    ...call,
    params: call.params.map((param) => ({
      ...param,
      example: getParamExample(call, param.name, mine) || param.example,
    })),
  }))
  return { calls, faults: ENEDIS_FAULTS }
}

type RunCallInput = { credentialId?: string | undefined; call: string; params: ParamValues }
const MEASURE_BACKENDS = ['dataconnect-v2', 'dataconnect-v1', 'holder']

/** Runs a manual call over the interface it belongs to, whatever interface the credential prefers. */
export async function runEnedisCall(deps: EnedisCallDeps, actor: Actor, input: RunCallInput): Promise<EnedisTrace> {
  const call = ENEDIS_CALLS.find(({ id }) => id === input.call)
  if (!call) throw fieldError('call', 'Cet appel n’existe pas\u00a0: choisissez-en un dans la liste.')
  const values = parseCallParams(call.params, input.params, call.mostDays)
  const credential = await chooseCredential(deps, actor, input.credentialId)
  if (call.kind === 'writes' && credential.environment === 'production')
    throw new AppError('conflict', {
      message: 'Un envoi de coefficients ne s’essaie pas en production\u00a0: choisissez un bac à sable.',
    })
  const backend = MEASURE_BACKENDS.includes(call.backend) ? call.backend : credential.backend
  const { trace } = await callEnedis(deps, { ...credential, backend }, (enedis, listen) =>
    call.kind === 'sign-in'
      ? signInToEnedis(deps, credential.environment, decryptClientKeys(deps.secrets, credential), { listen })
      : call.run(enedis, values),
  )
  return trace
}
