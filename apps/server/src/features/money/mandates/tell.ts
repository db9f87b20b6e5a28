import type { EventData } from '@voisol/contract/events'
import { record, recordEach } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import type { Secrets } from '../../../secrets.ts'

type Named = { id: string; creditorId: string; participantId: string }
type Stopped = Named & { status: EventData<'mandate.stopped'>['status'] }
type Signed = Named & { method: string; signedOn: string; replaced: Stopped[] }

const namesOf = ({ id: mandateId, creditorId, participantId }: Named) => ({ mandateId, creditorId, participantId })

export const tellMandates = (tx: Db, companyId: number, name: 'mandate.changed' | 'mandate.resumed', all: Named[]) =>
  recordEach(
    tx,
    companyId,
    name,
    all.map((one) => ({ object: one.id, data: namesOf(one) })),
  )

export const tellStopped = (tx: Db, companyId: number, all: Stopped[]) =>
  recordEach(
    tx,
    companyId,
    'mandate.stopped',
    all.map((one) => ({ object: one.id, data: { ...namesOf(one), status: one.status } })),
  )

/** Those that ended for them first: whoever listens never sees two at once. */
export async function tellSigned(tx: Db, companyId: number, all: Signed[]) {
  await tellStopped(
    tx,
    companyId,
    all.flatMap(({ replaced }) => replaced),
  )
  const signed = all.map((one) => ({
    object: one.id,
    data: { ...namesOf(one), method: one.method, signedOn: one.signedOn },
  }))
  await recordEach(tx, companyId, 'mandate.signed', signed)
}

export const tellLapse = (tx: Db, secrets: Secrets, companyId: number, one: Named, on: string) =>
  record(tx, {
    companyId,
    name: 'mandate.lapse-approached',
    object: one.id,
    data: { ...namesOf(one), on },
    by: { job: 'mandates.lapse', secrets },
  })
