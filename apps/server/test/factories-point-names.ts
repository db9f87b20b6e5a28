import { curves } from '@voisol/contract/curves'
import { sql } from 'drizzle-orm'
import { syncTasks, syncWindows } from '../src/db/schema/index.ts'
import { insertCredential } from '../src/features/enedis/credentials/credentials.ts'
import { call, type TestServer } from './client.ts'
import { storeAllocatedAsDistributorSeries } from './factories-distributor.ts'
import {
  makeOperationFixture,
  requestKeyAdoption,
  requestKeyDraft,
  runAllocation,
  STORAGE_PERIOD,
} from './factories-energy.ts'
import { waitUntil } from './wait.ts'

type OperationFixture = Awaited<ReturnType<typeof makeOperationFixture>>

type NamedPoint = { id: string; prm: string; label: string; holderId: string; holder: string; storage: boolean }
/** The names of all points of a company; a battery has two points. */
async function listNamedPoints({ db }: TestServer, companyId: number) {
  const { rows } = await db.execute<NamedPoint>(sql`
    select p.id, p.prm, p.label, h.id as "holderId", h.name as holder, p.storage from points p
      join participations m on m.company_id = p.company_id and m.point_id = p.id
      join participants h on h.company_id = m.company_id and h.id = m.participant_id
     where p.company_id = ${companyId}`)
  return rows
}
export type NamedPoints = Awaited<ReturnType<typeof listNamedPoints>>

/** Names without a dwelling or a number in them, and one holder for both directions of a battery. */
async function renameParticipants({ db }: TestServer, companyId: number) {
  await db.execute(
    sql`update participants set name = 'Kernoël-' || substr(md5(id::text), 1, 6) where company_id = ${companyId}`,
  )
  await db.execute(sql`
    update participations m set participant_id = t.participant_id from points p, points q, participations t
     where m.company_id = ${companyId} and p.company_id = m.company_id and p.id = m.point_id and p.storage
       and p.direction = 'consumption' and q.company_id = p.company_id and q.prm = p.prm and q.direction = 'production'
       and t.company_id = q.company_id and t.point_id = q.id`)
}

/** Sync windows and errors for every point, a departure of each, and a stopped call. */
async function makeSyncRows({ db, deps }: TestServer, { companyId, operation: { id: operationId } }: OperationFixture) {
  const place = { companyId, operationId, environment: 'production', backend: 'holder' } as const
  const credential = await insertCredential(db, deps.secrets, { ...place, clientId: 'x', clientSecret: 'y' })
  const credentialId = credential?.id ?? ''
  const asked = { kind: 'load-curve', from: STORAGE_PERIOD.from, to: STORAGE_PERIOD.to, status: 'waiting' }
  const [task] = await db
    .insert(syncTasks)
    .values({ companyId, credentialId, operationId, ...asked, trigger: 'manual', points: 5 })
    .returning()
  const taskId = task?.id ?? ''
  const { rows } = await db.execute<{ id: string; prm: string; direction: string }>(sql`
    select id, prm, direction from points where company_id = ${companyId}`)
  for (const { id: pointId, prm: subject, direction } of rows) {
    await db.insert(syncWindows).values({ companyId, taskId, credentialId, ...asked, pointId, subject, direction })
    const fault = {
      code: 'X1',
      nature: 'consent',
      explanation: 'Refus.',
      remedy: 'Attendre.',
      status: 403,
      message: '',
    }
    await db.execute(sql`
      insert into sync_errors (company_id, id, code, nature, fault, operation_id, point_id, subject, first_at, last_at)
      values (${companyId}, gen_random_uuid(), ${`X${direction}`}, 'consent', ${JSON.stringify(fault)}::jsonb, ${operationId}, ${pointId}, ${subject}, now(), now())`)
  }
  return taskId
}

const makeDepartureEvents = ({ db }: TestServer, { companyId }: OperationFixture) =>
  db.execute(sql`
    insert into contract_events (company_id, id, prm, event, on_day, collective)
    select distinct on (prm) company_id, gen_random_uuid(), prm, 'RES', '2025-03-30'::date, 1 from points
     where company_id = ${companyId} returning 1`)

/** A file without a unit, so that known data of its points are shown. */
async function uploadCurveFile(server: TestServer, { token }: OperationFixture, seats: NamedPoints) {
  const chosen = seats.filter(({ storage }) => !storage).map(({ prm }) => prm)
  const lines = Array.from({ length: 96 }, (_, at) => {
    const time = `${String(Math.floor(at / 4)).padStart(2, '0')}:${String((at % 4) * 15).padStart(2, '0')}`
    return `29/03/2025 ${time};${chosen.map((_, n) => 31 + n + (at % 7)).join(';')}`
  })
  const upload = Buffer.from([`Horodate;${chosen.join(';')}`, ...lines].join('\n'))
  const { body } = await call(server, curves.upload, { query: { name: 'mars.csv' }, upload }, { token })
  await waitUntil(async () => {
    const now = await call(server, curves.getImport, { params: { id: body.id } }, { token })
    return now.body.status !== 'reading' && now.body
  })
  return String(body.id)
}

const createHouseCurve = (watts: number) => (at: number) => watts + 11 * (at % 7)

/** A roof, two homes of which one has no readings for a day, and a battery. */
function makeHomesFixture(server: TestServer) {
  const battery = { label: 'Batterie du quai', prm: '27500000000113', storage: true }
  return makeOperationFixture(server, {
    ...STORAGE_PERIOD,
    producers: [
      { label: 'Toit', watts: createHouseCurve(1_013) },
      { ...battery, watts: (at) => (at > 70 ? 347 : 0) },
    ],
    consumers: [
      { label: 'Maison', watts: createHouseCurve(307) },
      { label: 'Atelier', watts: createHouseCurve(149), silent: (day) => day === '2025-03-30' },
      { ...battery, watts: (at) => (at < 60 ? 509 : 3) },
    ],
  })
}

/** A company whose points occur in every table that refers to points. */
export async function makeNamedPointsFixture(server: TestServer) {
  const scene = await makeHomesFixture(server)
  const { companyId, operation, token } = scene
  await renameParticipants(server, companyId)
  await requestKeyAdoption(server, scene, { method: 'default' })
  await runAllocation(server, scene, STORAGE_PERIOD)
  await requestKeyAdoption(server, scene, { method: 'equal' })
  const run = await runAllocation(server, scene, STORAGE_PERIOD)
  await storeAllocatedAsDistributorSeries(server.db, scene, ({ watts }) => watts + 1_000)
  const taskId = await makeSyncRows(server, scene)
  await makeDepartureEvents(server, scene)
  const seats = await listNamedPoints(server, companyId)
  const shares = scene.consumers.map(({ id: pointId }, at) => ({
    pointId,
    share: [413_000, 287_000, 211_000][at] ?? 0,
  }))
  const key = (await requestKeyDraft(server, scene, { method: 'static', shares })).body
  const importId = await uploadCurveFile(server, scene, seats)
  return { operationId: operation.id, token, runId: String(run.id), taskId, seats, importId, key }
}
