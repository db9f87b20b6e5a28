import { type RegulatoryObligation, type RegulatoryPreview, regulatory } from '@voisol/contract/regulatory'
import { extractPdfText } from '@voisol/documents/testing/pdf-text'
import { addDays } from '@voisol/energy/calendar'
import { eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant, makeParticipation, makePoint } from '../../../../test/factories-energy.ts'
import { listRecordedEvents } from '../../../../test/recorded-events.ts'
import { useServer } from '../../../../test/server.ts'
import { notifications, participations } from '../../../db/schema/index.ts'
import { remindDuties } from './duty-calendar.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())
const setToday = (day: string) =>
  vi.spyOn(Temporal.Now, 'plainDateISO').mockImplementation(() => Temporal.PlainDate.from(day))

/** Two consumers and a roof in one operation; the second consumer enters on 17 June. */
async function createTestOperation() {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const operation = await makeOperation(server.db, { companyId, accNumber: 'ACC00000317', startsOn: '2025-02-11' })
  const seat = async (name: string, direction: 'consumption' | 'production', startsOn: string) => {
    const participant = await makeParticipant(server.db, { companyId, name })
    const point = await makePoint(server.db, { companyId, direction, label: `Lot de ${name}`, subscribedVa: 9_000 })
    const known = { companyId, operationId: operation.id, participantId: participant.id, pointId: point.id }
    return { point, ...(await makeParticipation(server.db, { ...known, startsOn })) }
  }
  const seats = [
    await seat('Mme Morel', 'consumption', '2025-02-11'),
    await seat('M. Ndiaye', 'consumption', '2026-06-17'),
    await seat('Toiture Sud', 'production', '2025-02-11'),
  ] as const
  setToday('2026-05-20')
  return { auth: { token: admin.token }, companyId, operation, seats }
}
type Place = Awaited<ReturnType<typeof createTestOperation>>
const make = async (
  { auth, operation }: Place,
  kind: 'consumers' | 'movements' | 'yearly' | 'coefficients',
  period = '',
) => call(server, regulatory.make, { body: { operationId: operation.id, kind, period } }, auth)
const list = async ({ auth, operation }: Place): Promise<{ offers: RegulatoryPreview[] }> =>
  (await call(server, regulatory.list, { query: { operationId: operation.id } }, auth)).body
const duties = async ({ auth }: Place, year = 2026): Promise<RegulatoryObligation[]> =>
  (await call(server, regulatory.duties, { query: { year } }, auth)).body.items

test('keeps the version of an export without a change, and makes the next one after a change', async () => {
  const it = await createTestOperation()
  const { body: first } = await make(it, 'consumers')
  expect(first).toMatchObject({ number: 1, rows: 2, already: false, file: { name: 'liste-consommateurs-v1.csv' } })
  expect((await make(it, 'consumers')).body).toMatchObject({ id: first.id, already: true })
  expect((await list(it)).offers.find(({ kind }) => kind === 'consumers')).toMatchObject({
    changed: false,
    missing: [
      '2 points sans accord de participation signé',
      '2 points sans consentement à la collecte en cours',
      '2 points sans adresse',
    ],
  })
  await server.db
    .update(participations)
    .set({ agreementSignedOn: '2026-04-03' })
    .where(eq(participations.id, it.seats[0].id))
  expect((await list(it)).offers.find(({ kind }) => kind === 'consumers')?.changed).toBe(true)
  expect((await make(it, 'consumers')).body).toMatchObject({ number: 2, already: false })

  await server.db.update(participations).set({ endsOn: '2026-05-20' }).where(eq(participations.id, it.seats[0].id))
  expect((await make(it, 'consumers')).body).toMatchObject({ number: 3, rows: 1 })

  const csv = await call(server, regulatory.file, { params: { id: first.id }, query: {} }, it.auth)
  expect(csv.text).toContain(`ACC00000317;${it.seats[0].point.prm};Mme Morel`)
  expect(csv.text).not.toContain('Toiture Sud')
})

test('closes an obligation when its notice is sent, and never changes the sending', async () => {
  const it = await createTestOperation()
  const [due] = (await duties(it)).filter(({ key }) => key.startsWith('movements'))
  expect(due).toMatchObject({ dueOn: '2026-06-02', state: 'soon', make: { kind: 'movements', period: '2026-06' } })
  const { body: made } = await make(it, 'movements', '2026-06')
  expect(made.rows).toBe(1)
  const send = (sentOn: string) =>
    call(
      server,
      regulatory.send,
      { params: { id: made.id }, body: { sentOn, to: 'Enedis, guichet ACC', channel: 'mail' } },
      it.auth,
    )
  expect((await send('2026-05-21')).body).toMatchObject({ issues: [{ path: 'sentOn' }] })
  const today = made.madeAt.slice(0, 10)
  vi.restoreAllMocks()
  expect((await send(addDays(today, 2))).body).toMatchObject({ issues: [{ path: 'sentOn' }] })
  expect((await send(today)).body).toMatchObject({ sendings: [{ to: 'Enedis, guichet ACC', channel: 'mail' }] })
  setToday('2026-05-20')
  expect((await duties(it)).find(({ key }) => key === due?.key)).toMatchObject({ state: 'done', doneOn: today })
  const told = await listRecordedEvents(server.db, it.companyId, ['regulatory.issued', 'regulatory.sent'])
  const about = { exportId: made.id, operationId: it.operation.id, kind: 'movements', period: '2026-06', number: 1 }
  expect(told.map(({ name, data }) => [name, data])).toEqual([
    ['regulatory.issued', about],
    ['regulatory.sent', { ...about, on: today, channel: 'mail' }],
  ])
  // The recipient may be personal data.
  expect(JSON.stringify(told)).not.toContain('guichet')
})

test('closes and reopens an obligation by a mark, and does not find an unknown one', async () => {
  const it = await createTestOperation()
  const mark = (key: string, doneOn = '2026-05-19') =>
    call(server, regulatory.mark, { body: { key, doneOn, note: 'déposé' } }, it.auth)
  const key = `yearly:${it.operation.id}:2025`
  expect((await mark(key)).body).toMatchObject({ state: 'done', doneOn: '2026-05-19', note: 'déposé' })
  expect((await mark(key, '2026-05-21')).status).toBe(422)
  expect((await mark('yearly:nowhere:2025')).status).toBe(404)
  expect((await call(server, regulatory.unmark, { params: { key } }, it.auth)).status).toBe(200)
  expect((await duties(it)).find((duty) => duty.key === key)?.state).toBe('late')
})

test('reminds the person in charge once when an obligation is near and once when it is late', async () => {
  const it = await createTestOperation()
  const told = async (day: string) => {
    setToday(day)
    await remindDuties(server.deps, { companyId: it.companyId })
    const rows = await server.db.select().from(notifications).where(eq(notifications.companyId, it.companyId))
    return rows.filter(({ eventKey }) => eventKey.includes('movements')).map(({ title }) => title)
  }
  const label = 'Annoncer au distributeur les mouvements du 17/06/2026'
  expect(await told('2026-05-25')).toEqual([])
  expect(await told('2026-05-26')).toEqual([label])
  expect(await told('2026-06-02')).toEqual([label])
  expect((await told('2026-06-03')).sort()).toEqual([label, `En retard\u00a0: ${label}`])
  expect(await told('2026-06-20')).toHaveLength(2)
})

test('refuses a wrong period, and coefficients without a definitive run, with a sentence', async () => {
  const it = await createTestOperation()
  expect((await make(it, 'movements')).body).toMatchObject({ detail: 'Choisissez le mois, par exemple 2026-05.' })
  expect((await make(it, 'yearly', '2025-03')).status).toBe(422)
  const { status, body } = await make(it, 'coefficients', '2026-04')
  expect(status).toBe(409)
  expect(JSON.stringify(body)).toContain('calcul définitif du mois entier')
  const year = await make(it, 'yearly', '2025')
  expect(year.body).toMatchObject({ rows: 13, paper: { name: 'bilan-annuel-2025-v1.pdf' } })
  const { rawPayload } = await server.app.inject({
    url: `/api/regulatory/${year.body.id}/file?part=paper`,
    headers: { authorization: `Bearer ${it.auth.token}` },
  })
  expect(extractPdfText(new Uint8Array(rawPayload))).toContain('Bilan annuel')
  expect(extractPdfText(new Uint8Array(rawPayload))).not.toContain('Voisol')
})
