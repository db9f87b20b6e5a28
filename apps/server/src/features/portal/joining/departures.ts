import type { Application, DepartureDraft, LeavableParticipation } from '@voisol/contract/joining-management'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { isParticipantOfUser } from '../../../core/access-scopes.ts'
import { buildSignatureProof, getSignatureOrigin } from '../../../core/signature.ts'
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
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import type { RouteContext } from '../../../http/route.ts'
import { getToday } from '../../../today.ts'
import { loadOpenAmounts } from '../../billing/invoices/index.ts'
import { listOwnApplications, lockApplication, toApplication } from './application-queries.ts'
import { moveApplication } from './application-state.ts'
import { recordDecision } from './decide-application.ts'
import { DEFAULT_NOTICE_DAYS, loadFirstExitDay } from './join-settings.ts'
import { buildDepartureText, storeSignedDocument } from './signed-documents.ts'

const JOINS = {
  point: and(eq(points.companyId, participations.companyId), eq(points.id, participations.pointId)),
  person: and(eq(participants.companyId, participations.companyId), eq(participants.id, participations.participantId)),
  operation: and(eq(operations.companyId, participations.companyId), eq(operations.id, participations.operationId)),
  page: and(eq(joinPages.companyId, participations.companyId), eq(joinPages.operationId, participations.operationId)),
}

/** The user's participations beyond today; both directions of a battery leave together. */
const selectOwnParticipations = (db: Db, actor: Actor, participationId?: string) =>
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
    .innerJoin(points, JOINS.point)
    .innerJoin(participants, JOINS.person)
    .innerJoin(operations, JOINS.operation)
    .innerJoin(companies, eq(companies.id, participations.companyId))
    .leftJoin(joinPages, JOINS.page)
    .where(
      and(
        eq(participations.companyId, actor.companyId),
        isParticipantOfUser(actor),
        participationId ? eq(participations.id, participationId) : undefined,
        sql`(${participations.endsOn} is null or ${participations.endsOn} > ${getToday()})`,
        sql`not (${points.storage} and ${points.direction} = 'production')`,
      ),
    )
    .orderBy(operations.name, points.prm)
type OwnParticipation = Awaited<ReturnType<typeof selectOwnParticipations>>[number]

const getNoticeDays = ({ page }: OwnParticipation) => page?.noticeDays ?? DEFAULT_NOTICE_DAYS

async function loadLeavingParticipation(db: Db, found: OwnParticipation): Promise<LeavableParticipation> {
  const { stay, point, person, operation } = found
  const noticeDays = getNoticeDays(found)
  return {
    participationId: stay.id,
    participant: person.name,
    operation: operation.name,
    label: point.label,
    prm: point.prm,
    startsOn: stay.startsOn,
    endsOn: stay.endsOn,
    noticeDays,
    firstOn: await loadFirstExitDay(db, stay.companyId, { startsOn: stay.startsOn, noticeDays }),
  }
}

/** The participations that can be left, with the notice, the first possible day and the consequences. */
export async function listDepartures(db: Db, actor: Actor) {
  const stays = await selectOwnParticipations(db, actor)
  const leaving: LeavableParticipation[] = []
  for (const stay of stays) leaving.push(await loadLeavingParticipation(db, stay))
  const ids = [...new Set(stays.map(({ person }) => person.id))]
  const open = ids.length ? await loadOpenAmounts(db, actor.companyId, ids) : new Map<string, number>()
  const [activeMandates] = ids.length
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
  return {
    seats: leaving,
    items: await listOwnApplications(db, actor),
    facts: { open: Math.max(0, cents), mandates: activeMandates?.n ?? 0 },
  }
}

async function requireOwnParticipation(db: Db, actor: Actor, id: string): Promise<OwnParticipation> {
  const [found] = await selectOwnParticipations(db, actor, id)
  if (!found) throw new AppError('not-found')
  return found
}

type DepartureRequest = { kind: 'leave' | 'move'; on: string }

/** The text to sign for that day; a day before the end of the notice is refused first. */
async function loadDepartureText(db: Db, found: OwnParticipation, { kind, on }: DepartureRequest) {
  const { firstOn, endsOn, noticeDays } = await loadLeavingParticipation(db, found)
  if (on < firstOn)
    throw fieldError('on', `Avec le préavis, le premier jour possible est le ${formatFrenchDay(firstOn)}.`)
  if (endsOn && on >= endsOn) throw fieldError('on', `Cette participation s’arrête déjà le ${formatFrenchDay(endsOn)}.`)
  const { operation, company, person, point } = found
  const organiser = operation.pmoName || company.name
  return buildDepartureText({ operation, organiser, participant: person.name, prm: point.prm, kind, on, noticeDays })
}

export const loadOwnDepartureText = async (db: Db, actor: Actor, id: string, asked: DepartureRequest) =>
  loadDepartureText(db, await requireOwnParticipation(db, actor, id), asked)

type DepartureInput = z.output<typeof DepartureDraft>

export async function requestDeparture(ctx: RouteContext, id: string, input: DepartureInput): Promise<Application> {
  const { db, actor } = ctx
  const { companyId, userId } = actor
  const found = await requireOwnParticipation(db, actor, id)
  const { stay, person, point, operation } = found
  const proof = buildSignatureProof(await loadDepartureText(db, found, input), input, {
    what: 'Le texte',
    ...getSignatureOrigin(ctx),
  })
  const file = await storeSignedDocument(ctx, companyId, {
    name: `demande-de-depart-${getToday()}.pdf`,
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
  await recordEvent(db, { companyId, name: 'application.received', object: row.id, data })
  return toApplication(row, operation.name)
}

/** Withdraws the user's own request before it is decided. */
export async function withdrawDeparture(tx: Db, actor: Actor, id: string, version: number): Promise<Application> {
  const row = await lockApplication(tx, actor, id)
  // Nobody can withdraw what somebody else signed; the organiser can refuse it with a reason.
  if (row.userId !== actor.userId) throw new AppError('not-found')
  requireCurrentVersion(row, { version })
  const after = await moveApplication(tx, row, 'withdrawn', { decidedAt: new Date() })
  const [operation] = await tx
    .select({ name: operations.name })
    .from(operations)
    .where(and(eq(operations.companyId, row.companyId), eq(operations.id, row.operationId)))
  await recordDecision(tx, after, { state: 'withdrawn', effectiveOn: null })
  return toApplication(after, operation?.name ?? '')
}
