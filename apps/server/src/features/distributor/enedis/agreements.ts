import type { AgreementPoint, SeriesType } from '@voisol/contract/enedis'
import { addDays, dayStart, daysBetween, isDay } from '@voisol/energy/calendar'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { pointSeat } from '../../../core/point-label.ts'
import type { Db } from '../../../db/client.ts'
import { operations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { chosenCredential } from './run.ts'
import { toSeries } from './series.ts'
import { callThrough, type Through } from './through.ts'

type Named = { credentialId?: string | undefined }
type Span = { from: string; to: string }
type Point = z.output<typeof AgreementPoint>

const SERIES_DAYS = 31
const QUANTITIES_DAYS = 366

/** A date that is none is not known, whatever the distributor wrote. */
const knownDay = (day: string | null) => (day !== null && isDay(day) ? day : null)

function requireSpan({ from, to }: Span, mostDays: number) {
  if (from >= to) throw fieldError('to', 'La fin doit venir après le début\u00a0: le jour de fin n’est pas compris.')
  const days = daysBetween(from, to)
  if (days > mostDays)
    throw fieldError('to', `La période demandée compte ${days}\u00a0jours\u00a0: ${mostDays} au plus.`)
  if (to > addDays(today(), 1))
    throw fieldError('to', 'La période ne va pas au-delà d’aujourd’hui\u00a0: choisissez une fin plus tôt.')
}

const operationsBy = async (db: Db, { companyId }: Actor, numbers: string[]) => {
  if (!numbers.length) return new Map<string | null, string>()
  const rows = await db
    .select({ id: operations.id, accNumber: operations.accNumber })
    .from(operations)
    .where(and(eq(operations.companyId, companyId), inArray(operations.accNumber, numbers)))
  return new Map(rows.map(({ id, accNumber }) => [accNumber, id]))
}

/** By the credential of the operation that has this number, unless one is named. */
async function credentialOf(deps: Through, actor: Actor, acc: string, { credentialId }: Named) {
  const operation = (await operationsBy(deps.db, actor, [acc])).get(acc) ?? null
  return chosenCredential(deps, actor, credentialId, operation)
}

export async function listAgreements(deps: Through, actor: Actor, { credentialId }: Named) {
  const credential = await chosenCredential(deps, actor, credentialId)
  const { value = [], trace } = await callThrough(deps, credential, (enedis) => enedis.agreements())
  const ours = await operationsBy(
    deps.db,
    actor,
    value.map(({ acc }) => acc),
  )
  const items = value.map(({ acc, name, startsOn, endsOn }) => ({
    acc,
    name,
    operationId: ours.get(acc) ?? null,
    startsOn: knownDay(startsOn),
    endsOn: knownDay(endsOn),
  }))
  return { items, trace }
}

async function pointsBy(db: Db, { companyId }: Actor, prms: string[]) {
  if (!prms.length) return new Map<string, { id: string; label: string }>()
  const rows = await db
    .select({ id: points.id, prm: points.prm, direction: points.direction, label: pointSeat(companyId, sql`points`) })
    .from(points)
    .where(and(eq(points.companyId, companyId), inArray(points.prm, prms)))
  return new Map(rows.map(({ prm, direction, ...row }) => [`${prm} ${direction}`, row]))
}

export async function readAgreement(deps: Through, actor: Actor, acc: string, named: Named) {
  const credential = await credentialOf(deps, actor, acc, named)
  const { value = [], trace } = await callThrough(deps, credential, (enedis) => enedis.agreement(acc))
  const ours = await pointsBy(
    deps.db,
    actor,
    value.map(({ prm }) => prm),
  )
  const found = value.map(({ prm, role, startsOn, endsOn }): Point => {
    const own = ours.get(`${prm} ${role === 'cons' ? 'consumption' : 'production'}`)
    const dates = { startsOn: knownDay(startsOn), endsOn: knownDay(endsOn) }
    return { prm, role, ...dates, pointId: own?.id ?? null, label: own?.label ?? '' }
  })
  return { points: found, trace }
}

type SeriesAsked = Named & Span & { type: SeriesType; prm?: string | undefined }
export async function readSeries(deps: Through, actor: Actor, acc: string, asked: SeriesAsked) {
  requireSpan(asked, SERIES_DAYS)
  const { from, to, type, prm } = asked
  const credential = await credentialOf(deps, actor, acc, asked)
  const { value = [], trace } = await callThrough(deps, credential, (enedis) =>
    enedis.series({ acc, type, from, to, ...(prm !== undefined && { prm }) }),
  )
  const span = { from: dayStart(from), to: dayStart(to) }
  return { series: value.map((curve) => toSeries(curve, span)), trace }
}

type QuantitiesAsked = Named & Span & { prm: string; direction: 'consumption' | 'production' }
export async function readQuantities(deps: Through, actor: Actor, acc: string, asked: QuantitiesAsked) {
  requireSpan(asked, QUANTITIES_DAYS)
  const { from, to, prm } = asked
  const role = asked.direction === 'consumption' ? 'cons' : 'prod'
  const credential = await credentialOf(deps, actor, acc, asked)
  const { value = [], trace } = await callThrough(deps, credential, (enedis) =>
    enedis.definitiveEnergy({ acc, prm, role, from, to }),
  )
  return { rows: value.map(({ type, calendar, name, wh }) => ({ type, calendar, name, kwh: wh / 1000 })), trace }
}
