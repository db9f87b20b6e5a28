import type { AgreementPoint, SeriesType } from '@voisol/contract/enedis'
import { addDays, dayStart, daysBetween, isDay } from '@voisol/energy/calendar'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { pointNameOnDaySql } from '../../../core/point-names.ts'
import type { Db } from '../../../db/client.ts'
import { operations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { toAgreementSeries } from './agreement-series.ts'
import { callEnedis, chooseCredential, type EnedisCallDeps } from './run-call.ts'

type CredentialChoice = { credentialId?: string | undefined }
type DayRange = { from: string; to: string }
type Point = z.output<typeof AgreementPoint>

const SERIES_DAYS = 31
const QUANTITIES_DAYS = 366

/** An invalid date from the distributor counts as unknown. */
const toValidDay = (day: string | null) => (day !== null && isDay(day) ? day : null)

function requireAllowedPeriod({ from, to }: DayRange, maxDays: number) {
  if (from >= to) throw fieldError('to', 'La fin doit venir après le début\u00a0: le jour de fin n’est pas compris.')
  const days = daysBetween(from, to)
  if (days > maxDays) throw fieldError('to', `La période demandée compte ${days}\u00a0jours\u00a0: ${maxDays} au plus.`)
  if (to > addDays(getToday(), 1))
    throw fieldError('to', 'La période ne va pas au-delà d’aujourd’hui\u00a0: choisissez une fin plus tôt.')
}

const loadOperationIdsByAccNumber = async (db: Db, { companyId }: Actor, numbers: string[]) => {
  if (!numbers.length) return new Map<string | null, string>()
  const rows = await db
    .select({ id: operations.id, accNumber: operations.accNumber })
    .from(operations)
    .where(and(eq(operations.companyId, companyId), inArray(operations.accNumber, numbers)))
  return new Map(rows.map(({ id, accNumber }) => [accNumber, id]))
}

/** The named credential, or that of the operation with this agreement number. */
async function chooseCredentialOfAgreement(
  deps: EnedisCallDeps,
  actor: Actor,
  acc: string,
  { credentialId }: CredentialChoice,
) {
  const operation = (await loadOperationIdsByAccNumber(deps.db, actor, [acc])).get(acc) ?? null
  return chooseCredential(deps, actor, credentialId, operation)
}

export async function fetchAgreements(deps: EnedisCallDeps, actor: Actor, { credentialId }: CredentialChoice) {
  const credential = await chooseCredential(deps, actor, credentialId)
  const { value = [], trace } = await callEnedis(deps, credential, (enedis) => enedis.agreements())
  const ours = await loadOperationIdsByAccNumber(
    deps.db,
    actor,
    value.map(({ acc }) => acc),
  )
  const items = value.map(({ acc, name, startsOn, endsOn }) => ({
    acc,
    name,
    operationId: ours.get(acc) ?? null,
    startsOn: toValidDay(startsOn),
    endsOn: toValidDay(endsOn),
  }))
  return { items, trace }
}

async function loadPointsByPrm(db: Db, { companyId }: Actor, prms: string[]) {
  if (!prms.length) return new Map<string, { id: string; label: string }>()
  const rows = await db
    .select({
      id: points.id,
      prm: points.prm,
      direction: points.direction,
      label: pointNameOnDaySql(companyId, sql`points`),
    })
    .from(points)
    .where(and(eq(points.companyId, companyId), inArray(points.prm, prms)))
  return new Map(rows.map(({ prm, direction, ...row }) => [`${prm} ${direction}`, row]))
}

export async function fetchAgreement(deps: EnedisCallDeps, actor: Actor, acc: string, named: CredentialChoice) {
  const credential = await chooseCredentialOfAgreement(deps, actor, acc, named)
  const { value = [], trace } = await callEnedis(deps, credential, (enedis) => enedis.agreement(acc))
  const ours = await loadPointsByPrm(
    deps.db,
    actor,
    value.map(({ prm }) => prm),
  )
  const found = value.map(({ prm, role, startsOn, endsOn }): Point => {
    const own = ours.get(`${prm} ${role === 'cons' ? 'consumption' : 'production'}`)
    const dates = { startsOn: toValidDay(startsOn), endsOn: toValidDay(endsOn) }
    return { prm, role, ...dates, pointId: own?.id ?? null, label: own?.label ?? '' }
  })
  return { points: found, trace }
}

type FetchSeriesInput = CredentialChoice & DayRange & { type: SeriesType; prm?: string | undefined }
export async function fetchAgreementSeries(deps: EnedisCallDeps, actor: Actor, acc: string, input: FetchSeriesInput) {
  requireAllowedPeriod(input, SERIES_DAYS)
  const { from, to, type, prm } = input
  const credential = await chooseCredentialOfAgreement(deps, actor, acc, input)
  const { value = [], trace } = await callEnedis(deps, credential, (enedis) =>
    enedis.series({ acc, type, from, to, ...(prm !== undefined && { prm }) }),
  )
  const span = { from: dayStart(from), to: dayStart(to) }
  return { series: value.map((curve) => toAgreementSeries(curve, span)), trace }
}

type FetchQuantitiesInput = CredentialChoice & DayRange & { prm: string; direction: 'consumption' | 'production' }
export async function fetchDefinitiveQuantities(
  deps: EnedisCallDeps,
  actor: Actor,
  acc: string,
  input: FetchQuantitiesInput,
) {
  requireAllowedPeriod(input, QUANTITIES_DAYS)
  const { from, to, prm } = input
  const role = input.direction === 'consumption' ? 'cons' : 'prod'
  const credential = await chooseCredentialOfAgreement(deps, actor, acc, input)
  const { value = [], trace } = await callEnedis(deps, credential, (enedis) =>
    enedis.definitiveEnergy({ acc, prm, role, from, to }),
  )
  return { rows: value.map(({ type, calendar, name, wh }) => ({ type, calendar, name, kwh: wh / 1000 })), trace }
}
