import { and, asc, eq, notInArray, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { isParticipantOfUserAnywhere } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import {
  apiKeys,
  consents,
  invoices,
  mandates,
  operations,
  participants,
  participations,
  payments,
  points,
} from '../../../db/schema/index.ts'

/**
 * Whose data to export; with a company, only the data of that company; and the companies that the session may not
 * enter.
 */
export type DataOwner = { userId: string; companyId: number | null; leftOut: readonly number[] }

export function isInExportScope(column: AnyPgColumn, { companyId, leftOut }: Pick<DataOwner, 'companyId' | 'leftOut'>) {
  if (companyId !== null) return eq(column, companyId)
  return leftOut.length ? notInArray(column, [...leftOut]) : undefined
}

const isParticipantOf = (t: { companyId: AnyPgColumn }, id: AnyPgColumn) =>
  sql`${participants.companyId} = ${t.companyId} and ${participants.id} = ${id}`

/** The organisers' records of a participant, without internal notes; bank accounts are shown by their last digits. */
export const listOwnParticipants = (db: Db, { userId, companyId, leftOut }: DataOwner) =>
  db
    .select({
      companyId: participants.companyId,
      name: participants.name,
      kind: participants.kind,
      siren: participants.siren,
      email: participants.email,
      phone: participants.phone,
      address: participants.address,
      postalCode: participants.postalCode,
      city: participants.city,
      ibanEnd: participants.ibanEnd,
      createdAt: participants.createdAt,
    })
    .from(participants)
    .where(isParticipantOfUserAnywhere(userId, companyId, leftOut))
    .orderBy(asc(participants.createdAt))

export const listOwnParticipations = (db: Db, { userId, companyId, leftOut }: DataOwner) =>
  db
    .select({
      companyId: participations.companyId,
      pointId: points.id,
      participant: participants.name,
      prm: points.prm,
      direction: points.direction,
      label: points.label,
      segment: points.segment,
      subscribedVa: points.subscribedVa,
      peakWatts: points.peakWatts,
      address: points.address,
      operation: operations.name,
      startsOn: participations.startsOn,
      endsOn: participations.endsOn,
    })
    .from(participations)
    .innerJoin(participants, isParticipantOf(participations, participations.participantId))
    .innerJoin(
      points,
      sql`${points.companyId} = ${participations.companyId} and ${points.id} = ${participations.pointId}`,
    )
    .innerJoin(
      operations,
      sql`${operations.companyId} = ${participations.companyId} and ${operations.id} = ${participations.operationId}`,
    )
    .where(isParticipantOfUserAnywhere(userId, companyId, leftOut))
    .orderBy(asc(participations.startsOn), asc(points.prm))

export const listOwnConsents = (db: Db, { userId, companyId, leftOut }: DataOwner) =>
  db
    .select({
      participant: participants.name,
      purpose: consents.purpose,
      textVersion: consents.textVersion,
      method: consents.method,
      givenAt: consents.givenAt,
      expiresOn: consents.expiresOn,
      withdrawnAt: consents.withdrawnAt,
      // The IP address of a consent is exported only if the person gave it themselves, and not another holder or an
      // administrator.
      ip: sql<string>`case when exists (select 1 from users u where u.email = ${consents.recordedBy} and u.id <> ${userId})
        then '' else ${consents.ip} end`,
    })
    .from(consents)
    .innerJoin(participants, isParticipantOf(consents, consents.participantId))
    .where(isParticipantOfUserAnywhere(userId, companyId, leftOut))
    .orderBy(asc(consents.createdAt))

export const listOwnInvoices = (db: Db, { userId, companyId, leftOut }: DataOwner) =>
  db
    .select({
      number: invoices.number,
      kind: invoices.kind,
      issuedOn: invoices.issuedOn,
      dueOn: invoices.dueOn,
      from: invoices.from,
      to: invoices.to,
      wh: invoices.wh,
      netCents: invoices.net,
      taxCents: invoices.tax,
      grossCents: invoices.gross,
      document: invoices.snapshot,
    })
    .from(invoices)
    .innerJoin(participants, isParticipantOf(invoices, invoices.buyerId))
    .where(isParticipantOfUserAnywhere(userId, companyId, leftOut))
    .orderBy(asc(invoices.issuedOn), asc(invoices.number))

export const listOwnPayments = (db: Db, { userId, companyId, leftOut }: DataOwner) =>
  db
    .select({
      bookedOn: payments.bookedOn,
      kind: payments.kind,
      method: payments.method,
      amountCents: payments.amount,
      note: payments.note,
    })
    .from(payments)
    .innerJoin(participants, isParticipantOf(payments, payments.buyerId))
    .where(isParticipantOfUserAnywhere(userId, companyId, leftOut))
    .orderBy(asc(payments.bookedOn), asc(payments.createdAt))

export const listOwnMandates = (db: Db, { userId, companyId, leftOut }: DataOwner) =>
  db
    .select({
      rum: mandates.rum,
      holder: mandates.holder,
      ibanEnd: mandates.ibanEnd,
      signedOn: mandates.signedOn,
      method: mandates.method,
      status: mandates.status,
      statusOn: mandates.statusOn,
    })
    .from(mandates)
    .innerJoin(participants, isParticipantOf(mandates, mandates.participantId))
    .where(isParticipantOfUserAnywhere(userId, companyId, leftOut))
    .orderBy(asc(mandates.signedOn))

/** The person's API tokens, without their secrets. */
export const listOwnTokens = (db: Db, { userId, companyId, leftOut }: DataOwner) =>
  db
    .select({
      name: apiKeys.name,
      prefix: apiKeys.prefix,
      space: apiKeys.space,
      createdAt: apiKeys.createdAt,
      lastUsedAt: apiKeys.lastUsedAt,
      revokedAt: apiKeys.revokedAt,
    })
    .from(apiKeys)
    .where(and(eq(apiKeys.makerId, userId), isInExportScope(apiKeys.companyId, { companyId, leftOut })))
    .orderBy(asc(apiKeys.createdAt))
