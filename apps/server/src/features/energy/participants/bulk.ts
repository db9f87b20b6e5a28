import type { participations as endpoints } from '@voisol/contract/points'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { operations, participants, participations, points } from '../../../db/schema/index.ts'
import { frenchDay } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { twinsOf } from './batteries.ts'
import { anyOf, HELD, joined } from './enrol-known.ts'
import { updateParticipation } from './participations.ts'
import type { Span } from './periods.ts'
import { type Held, lockEnrolments, overlapFault, periodFaults, unnamed } from './rules.ts'

type Bulk = Omit<z.output<typeof endpoints.bulk.body>, 'shown' | 'anyway'>
type Line = z.infer<typeof endpoints.bulk.response>['lines'][number]
type Candidate = Held & {
  prm: string
  noticeOn: string | null
  version: number
  frame: Span | { startsOn: null; endsOn: string | null }
}
type Planned = { line: Line; held: Candidate; span: Span }

const read = (tx: Db, actor: Actor, ids: string[]) =>
  tx
    .select({
      ...HELD,
      prm: points.prm,
      noticeOn: participations.noticeOn,
      version: participations.version,
      frame: { startsOn: operations.startsOn, endsOn: operations.endsOn },
    })
    .from(participations)
    .innerJoin(points, joined.point)
    .innerJoin(operations, joined.operation)
    .innerJoin(participants, joined.participant)
    .where(
      and(
        eq(participations.companyId, actor.companyId),
        sql`${participations.pointId} in (select point_id from participations
          where company_id = ${actor.companyId} and id = ${anyOf(ids, 'uuid')})`,
      ),
    )

function planOne(held: Candidate, others: Held[], { change, on, noticeOn }: Bulk): Planned {
  const span = change === 'entry' ? { startsOn: on, endsOn: held.endsOn } : { startsOn: held.startsOn, endsOn: on }
  const label = `${held.participantName} (${held.prm})`
  const same = span.startsOn === held.startsOn && span.endsOn === held.endsOn && noticeOn === held.noticeOn
  const frame = { id: held.operationId, name: held.operationName, ...held.frame }
  const fault = same
    ? `Rien à changer\u00a0: ${change === 'entry' ? 'l’entrée' : 'la sortie'} est déjà le ${frenchDay(on)}.`
    : (periodFaults(frame, span)[0]?.message ?? overlapFault(held.operationId, span, others))
  const word = change === 'entry' ? 'Entrée' : 'Sortie'
  const line: Line = fault
    ? { id: held.id, label, outcome: 'refused', message: fault }
    : { id: held.id, label, outcome: 'changed', message: `${word} le ${frenchDay(on)}.` }
  return { line, held, span }
}

/** Each line is settled with those before it: two of one point cannot both take the same days. */
function plan(actor: Actor, all: Candidate[], input: Bulk): Planned[] {
  const byId = new Map(all.map((held) => [held.id, held]))
  const now = Map.groupBy<string, Held>(all, ({ pointId }) => pointId)
  return [...new Set(input.ids)].map((id) => {
    const held = byId.get(id)
    if (!held || actor.operationIds?.includes(held.operationId) === false) throw new AppError('not-found')
    const others = (now.get(held.pointId) ?? []).filter((other) => other.id !== id)
    const planned = planOne(
      held,
      others.map((other) => unnamed(actor, other)),
      input,
    )
    if (planned.line.outcome === 'changed') now.set(held.pointId, [...others, { ...held, ...planned.span }])
    return planned
  })
}

/** Entries or exits of many on one day; the lines that cannot be are told and the others are done, or nothing in a dry run. */
export async function changeMany(tx: Db, actor: Actor, asked: Bulk) {
  await lockEnrolments(tx, actor.companyId)
  // A battery follows with its other direction.
  const input = { ...asked, ids: [...asked.ids, ...(await twinsOf(tx, actor.companyId, asked.ids))] }
  const planned = plan(actor, await read(tx, actor, input.ids), input)
  const changed = planned.filter(({ line }) => line.outcome === 'changed')
  if (!input.dryRun && changed.length) await store(tx, actor, input, changed)
  const lines = planned.map(({ line }) => line)
  const operationIds = [...new Set(changed.map(({ held }) => held.operationId))]
  return { report: { changed: changed.length, refused: lines.length - changed.length, lines }, operationIds }
}

/** By the participation's own update: whatever it asks of one, it asks of each of many. Of a battery it moves both directions. */
async function store(tx: Db, actor: Actor, { noticeOn }: Bulk, changed: Planned[]) {
  const meters = new Map(
    changed.map((planned) => [`${planned.held.operationId} ${planned.held.prm} ${planned.held.startsOn}`, planned]),
  )
  for (const { held, span } of meters.values()) {
    const { agreementSignedOn, version } = held
    await updateParticipation(tx, actor, held.id, { ...span, noticeOn, agreementSignedOn, version })
  }
}
