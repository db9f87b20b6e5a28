import type { EventData } from '@voisol/contract/events'
import { recordEvent, recordEvents } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import type { Secrets } from '../../../secrets.ts'

type MandateRef = { id: string; creditorId: string; participantId: string }
type StoppedMandate = MandateRef & { status: EventData<'mandate.stopped'>['status'] }
type SignedMandate = MandateRef & { method: string; signedOn: string; replaced: StoppedMandate[] }

const toMandateEventData = ({ id: mandateId, creditorId, participantId }: MandateRef) => ({
  mandateId,
  creditorId,
  participantId,
})

export const recordMandateEvents = (
  tx: Db,
  companyId: number,
  name: 'mandate.changed' | 'mandate.resumed',
  all: MandateRef[],
) =>
  recordEvents(
    tx,
    companyId,
    name,
    all.map((one) => ({ object: one.id, data: toMandateEventData(one) })),
  )

export const recordMandatesStopped = (tx: Db, companyId: number, all: StoppedMandate[]) =>
  recordEvents(
    tx,
    companyId,
    'mandate.stopped',
    all.map((one) => ({ object: one.id, data: { ...toMandateEventData(one), status: one.status } })),
  )

/** Records stopped mandates before the signed ones, so that a subscriber never sees two active at once. */
export async function recordMandatesSigned(tx: Db, companyId: number, all: SignedMandate[]) {
  await recordMandatesStopped(
    tx,
    companyId,
    all.flatMap(({ replaced }) => replaced),
  )
  const signed = all.map((one) => ({
    object: one.id,
    data: { ...toMandateEventData(one), method: one.method, signedOn: one.signedOn },
  }))
  await recordEvents(tx, companyId, 'mandate.signed', signed)
}

export const recordLapseApproached = (tx: Db, secrets: Secrets, companyId: number, one: MandateRef, on: string) =>
  recordEvent(tx, {
    companyId,
    name: 'mandate.lapse-approached',
    object: one.id,
    data: { ...toMandateEventData(one), on },
    by: { job: 'mandates.lapse', secrets },
  })
