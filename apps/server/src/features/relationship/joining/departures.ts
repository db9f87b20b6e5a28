import type { Application, DepartureDraft, LeavingSeat } from '@voisol/contract/joining-desk'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { record } from '../../../core/events.ts'
import { isHeldBy } from '../../../core/held.ts'
import { originOf, proofOf } from '../../../core/signature.ts'
import type { Db } from '../../../db/client.ts'
import {
  applications,
  companies,
  joinPages,
  mandates,
  operations,
  participants,
  participations,
  points,
} from '../../../db/schema/index.ts'
import { frenchDay } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import type { Context } from '../../../http/route.ts'
import { today } from '../../../today.ts'
import { readOpen } from '../../money/invoices/invoices.ts'
import { tellDecided } from './decide.ts'
import { move } from './life-cycle.ts'
import { firstExit } from './notice.ts'
import { keepPaper } from './paper.ts'
import { NOTICE_DAYS } from './settings.ts'
import { departureText } from './texts.ts'
import { lockApplication, ownApplications, toApplication } from './view.ts'

const joined = {
  point: and(eq(points.companyId, participations.companyId), eq(points.id, participations.pointId)),
  person: and(eq(participants.companyId, participations.companyId), eq(participants.id, participations.participantId)),
  operation: and(eq(operations.companyId, participations.companyId), eq(operations.id, participations.operationId)),
  page: and(eq(joinPages.companyId, participations.companyId), eq(joinPages.operationId, participations.operationId)),
}

/** One's own that last beyond today; a battery is left by one of its directions, and goes whole. */
const staysOf = (db: Db, actor: Actor, participationId?: string) =>
  db
    .select({
      stay: participations,
      point: points,
      person: participants,
      operation: operations,
      page: joinPages,
      company: companies,
    })
    .from(participations)
    .innerJoin(points, joined.point)
    .innerJoin(participants, joined.person)
    .innerJoin(operations, joined.operation)
    .innerJoin(companies, eq(companies.id, participations.companyId))
    .leftJoin(joinPages, joined.page)
    .where(
      and(
        eq(participations.companyId, actor.companyId),
        isHeldBy(actor),
        participationId ? eq(participations.id, participationId) : undefined,
        sql`(${participations.endsOn} is null or ${participations.endsOn} > ${today()})`,
        sql`not (${points.storage} and ${points.direction} = 'production')`,
      ),
    )
    .orderBy(operations.name, points.prm)
type Stay = Awaited<ReturnType<typeof staysOf>>[number]

const noticeOf = ({ page }: Stay) => page?.noticeDays ?? NOTICE_DAYS

async function seatOf(db: Db, found: Stay): Promise<LeavingSeat> {
  const { stay, point, person, operation } = found
  const noticeDays = noticeOf(found)
  return {
    participationId: stay.id,
    participant: person.name,
    operation: operation.name,
    label: point.label,
    prm: point.prm,
    startsOn: stay.startsOn,
    endsOn: stay.endsOn,
    noticeDays,
    firstOn: await firstExit(db, stay.companyId, { startsOn: stay.startsOn, noticeDays }),
  }
}

/** What leaving meets: where, from when, and what remains after it. */
export async function departuresOf(db: Db, actor: Actor) {
  const stays = await staysOf(db, actor)
  const seats: LeavingSeat[] = []
  for (const stay of stays) seats.push(await seatOf(db, stay))
  const ids = [...new Set(stays.map(({ person }) => person.id))]
  const open = ids.length ? await readOpen(db, actor.companyId, ids) : new Map<string, number>()
  const [held] = ids.length
    ? await db
        .select({ n: sql<number>`count(*)::int` })
        .from(mandates)
        .where(
          and(
            eq(mandates.companyId, actor.companyId),
            eq(mandates.status, 'active'),
            sql`${mandates.participantId} = any(${sql.param(ids)}::uuid[])`,
          ),
        )
    : []
  const cents = [...open.values()].reduce((sum, one) => sum + one, 0)
  return { seats, items: await ownApplications(db, actor), facts: { open: Math.max(0, cents), mandates: held?.n ?? 0 } }
}

async function requireStay(db: Db, actor: Actor, id: string): Promise<Stay> {
  const [found] = await staysOf(db, actor, id)
  if (!found) throw new AppError('not-found')
  return found
}

type Asked = { kind: 'leave' | 'move'; on: string }

/** The text to be signed for that day; a day before the end of the notice is refused before anything is read. */
async function shownFor(db: Db, found: Stay, { kind, on }: Asked) {
  const { firstOn, endsOn, noticeDays } = await seatOf(db, found)
  if (on < firstOn) throw fieldError('on', `Avec le préavis, le premier jour possible est le ${frenchDay(firstOn)}.`)
  if (endsOn && on >= endsOn) throw fieldError('on', `Cette participation s’arrête déjà le ${frenchDay(endsOn)}.`)
  const { operation, company, person, point } = found
  const organiser = operation.pmoName || company.name
  return departureText({ operation, organiser, participant: person.name, prm: point.prm, kind, on, noticeDays })
}

export const departureTextFor = async (db: Db, actor: Actor, id: string, asked: Asked) =>
  shownFor(db, await requireStay(db, actor, id), asked)

type Draft = z.output<typeof DepartureDraft>

export async function askToLeave(ctx: Context, id: string, input: Draft): Promise<Application> {
  const { db, actor } = ctx
  const { companyId, userId } = actor
  const found = await requireStay(db, actor, id)
  const { stay, person, point, operation } = found
  const proof = proofOf(await shownFor(db, found, input), input, { what: 'Le texte', ...originOf(ctx) })
  const file = await keepPaper(ctx, companyId, {
    name: `demande-de-depart-${today()}.pdf`,
    title: 'Demande de départ',
    subject: operation.name,
    proof,
  })
  const { kind, on: wantedOn, newAddress, successorName, successorEmail } = input
  const { email, name, firstName, lastName, kind: participantKind, phone, address, postalCode, city } = person
  const identity = { name, firstName, lastName, participantKind, phone, address, postalCode, city }
  const [row] = await db
    .insert(applications)
    .values({
      companyId,
      userId,
      kind,
      wantedOn,
      newAddress,
      successorName,
      successorEmail,
      proof,
      ...identity,
      state: 'waiting',
      email: email || actor.email,
      prm: point.prm,
      operationId: operation.id,
      participantId: person.id,
      participationId: stay.id,
      fileId: file.id,
    })
    .onConflictDoNothing()
    .returning()
  if (!row)
    throw new AppError('conflict', { message: 'Vous avez déjà demandé à partir\u00a0: la demande est à l’étude.' })
  const data = { applicationId: row.id, operationId: operation.id, kind }
  await record(db, { companyId, name: 'application.received', object: row.id, data })
  return toApplication(row, operation.name)
}

/** Taken back by whoever asked, while nobody has decided. */
export async function stayAfterAll(tx: Db, actor: Actor, id: string, version: number): Promise<Application> {
  const row = await lockApplication(tx, actor, id)
  // Nobody takes back what another has signed; the office refuses it, with its reason.
  if (row.userId !== actor.userId) throw new AppError('not-found')
  requireVersion(row, { version })
  const after = await move(tx, row, 'withdrawn', { decidedAt: new Date() })
  const [operation] = await tx
    .select({ name: operations.name })
    .from(operations)
    .where(and(eq(operations.companyId, row.companyId), eq(operations.id, row.operationId)))
  await tellDecided(tx, after, { state: 'withdrawn', effectiveOn: null })
  return toApplication(after, operation?.name ?? '')
}
