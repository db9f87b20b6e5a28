import { seatName } from '@voisol/contract/points'
import type { Why } from '@voisol/contract/why'
import { addMonths, daysBetween, monthOf } from '@voisol/energy/calendar'
import type { HeldKey } from '../../../core/key-versions.ts'
import { portalShown } from '../../../core/portal-shown.ts'
import type { Db } from '../../../db/client.ts'
import { snapshot } from '../../../db/snapshot.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { type Explained, explainDays, findRun } from '../../energy/allocations/allocations.ts'
import { heldOver, type Member, type Period, requirePeriod, selectMembers, summaryOf } from '../energy/energy.ts'
import { addReadings, noReadings } from './levels.ts'
import { neighboursOf } from './neighbours.ts'
import { addShare, noSums, shareOf } from './share.ts'

type Factors = Parameters<typeof summaryOf>[2]
type Asked = { operationId: string; participantId: string; month: string }
type Held = Awaited<ReturnType<typeof heldOver>>[number]

/** The days of the month that are over. */
function periodOf({ month }: Asked): Period {
  const from = monthOf(month)
  const next = addMonths(from, 1)
  const to = next < today() ? next : today()
  if (from >= to) throw fieldError('month', 'Ce mois n’a pas encore de jour révolu.')
  return requirePeriod({ from, to })
}

/** Days on which at least one of their points takes part, as stretches. */
function presenceOf(members: Member[], { from, to }: Period): Why['presence'] {
  const spans: Period[] = []
  const inside = members
    .map(({ startsOn, endsOn }) => ({
      from: startsOn > from ? startsOn : from,
      to: endsOn !== null && endsOn < to ? endsOn : to,
    }))
    .filter((span) => span.from < span.to)
    .sort((a, b) => (a.from < b.from ? -1 : 1))
  for (const span of inside) {
    const last = spans.at(-1)
    if (last && span.from <= last.to) last.to = span.to > last.to ? span.to : last.to
    else spans.push(span)
  }
  const days = spans.reduce((sum, span) => sum + daysBetween(span.from, span.to), 0)
  return { days, of: daysBetween(from, to), spans }
}

/** The steps of each of the member's consuming points, counted from the start of the stretch. */
function activeIn(members: Member[], { from, to }: Period, place: (day: string) => number) {
  const active = new Map<string, [number, number][]>()
  for (const { pointId, direction, startsOn, endsOn } of members) {
    const lo = startsOn > from ? startsOn : from
    const hi = endsOn !== null && endsOn < to ? endsOn : to
    if (direction !== 'consumption' || lo >= hi) continue
    active.set(pointId, [...(active.get(pointId) ?? []), [place(lo), place(hi)]])
  }
  return active
}

function keyOf({ version, from, to }: HeldKey, points: Set<string>): Why['keys'][number] {
  const { number, method, label, shares } = version
  const own = shares.filter(({ pointId, producerId }) => points.has(pointId) && producerId === null)
  const given = own.filter(({ share }) => share !== null)
  const ranks = own.flatMap(({ rank }) => (rank === null ? [] : [rank]))
  const share = given.length ? given.reduce((sum, one) => sum + (one.share ?? 0), 0) : null
  return { number, method, label, from, to, share, rank: ranks.length ? Math.min(...ranks) : null }
}

type Stretch = { held: Held; explained: Explained }

async function stretchesOf(db: Db, companyId: number, operationId: string, period: Period): Promise<Stretch[]> {
  const found: Stretch[] = []
  for (const held of await heldOver(db, companyId, [operationId], period)) {
    const run = await findRun(db, companyId, held.runId)
    const explained = run && (await explainDays(db, run, { from: held.from, to: held.to }))
    if (explained) found.push({ held, explained })
  }
  return found
}

/** What stands behind the figure of a member for a month: the same figure as elsewhere, and how it came about. */
export async function whyOf(db: Db, actor: Actor, factors: Factors, asked: Asked): Promise<Why> {
  const { operationId, participantId } = asked
  const period = periodOf(asked)
  const members = await selectMembers(db, actor, { operationId, participantId })
  const [first] = members
  if (!first) throw new AppError('not-found')
  const { current } = await summaryOf(db, actor, factors, { ...period, operationId, participantId })
  const compared = actor.space === 'office' || (await portalShown(db, actor.companyId)).comparison
  return snapshot(db, async (view) => {
    const place = { ...period, companyId: actor.companyId, operationId, participantId }
    const stretches = await stretchesOf(view, actor.companyId, operationId, period)
    return {
      operationId,
      operationName: first.operationName,
      participantId,
      name: seatName([...new Set(members.map(({ label }) => label))].filter(Boolean).join(', '), first.participantName),
      month: monthOf(period.from),
      ...period,
      prms: [...new Set(members.map(({ prm }) => prm))],
      presence: presenceOf(members, period),
      totals: current,
      runs: stretches.map(({ held: { runId: id, from, to, definitive, stale, estimated } }) => ({
        id,
        from,
        to,
        definitive,
        stale,
        estimated,
      })),
      keys: keysOf(stretches, members),
      ...explanationOf(stretches, members),
      neighbours: compared ? await neighboursOf(view, place) : null,
    }
  })
}

/** A version that goes on from one run to the next is one line. */
function keysOf(stretches: Stretch[], members: Member[]): Why['keys'] {
  const points = new Set(members.map(({ pointId }) => pointId))
  const keys: Why['keys'] = []
  for (const held of stretches.flatMap(({ explained }) => explained.keys)) {
    const key = keyOf(held, points)
    const last = keys.at(-1)
    if (last && last.number === key.number && last.to === key.from) last.to = key.to
    else keys.push(key)
  }
  return keys
}

function explanationOf(stretches: Stretch[], members: Member[]): Pick<Why, 'share' | 'readings'> {
  const sums = noSums()
  const readings = noReadings()
  let consumes = false
  for (const { held, explained } of stretches) {
    const active = activeIn(members, held, explained.place)
    if (!active.size) continue
    consumes = true
    addShare(sums, explained, active)
    addReadings(readings, explained, active)
  }
  return consumes ? { share: shareOf(sums), readings } : { share: null, readings: null }
}
