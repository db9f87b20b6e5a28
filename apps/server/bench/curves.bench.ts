import { addDays, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { PointDayReadings } from '../src/core/readings.ts'
import { type Db, transaction } from '../src/db/client.ts'
import { companies } from '../src/db/schema/index.ts'
import { writeCurveDays } from '../src/features/energy/curves/curve-day-writer.ts'
import { loadAlignedCurves, loadCurveHash } from '../src/features/energy/curves/read-curves.ts'
import { storeReadingsAndNotify } from '../src/features/energy/curves/store-readings.ts'
import { createBench } from './bench-installation.ts'
import { pickSize } from './measure.ts'

const FROM = '2025-01-01'
const TO = pickSize('2026-01-01', '2025-02-01')
const FEW = 20
const MANY = pickSize(1000, 21)
/** How many points have a year of readings that is read again. */
const READ = pickSize(200, 2)
const DAYS_OF_MANY = pickSize(60, 2)
const ROUNDS = pickSize(2, 1)
const receivedAt = new Date('2026-01-02T08:00:00Z')

async function makePoints(db: Db, number: number): Promise<{ companyId: number; pointIds: string[] }> {
  const [company] = await db.insert(companies).values({ name: 'Mesure' }).returning()
  if (!company) throw new Error('no company to measure with')
  const { rows } = await db.execute<{ id: string }>(sql`
    insert into points (company_id, prm, direction, segment)
    select ${company.id}, lpad(n::text, 14, '10000000000000'), 'consumption', 'C5' from generate_series(1, ${number}) n returning id`)
  return { companyId: company.id, pointIds: rows.map(({ id }) => id) }
}

/** Values that differ from day to day and from point to point, as those of meters do. */
const makeRows = (pointIds: string[], from: string, to: string): PointDayReadings[] =>
  pointIds.flatMap((pointId, p) =>
    listDays(from, to).map((day, d) => {
      const watts = new Int32Array(stepsOfDay(day, 15))
      for (let at = 0; at < watts.length; at++) watts[at] = (p * 7919 + d * 104_729 + at * 31) % 9000
      return { pointId, day, step: 15, watts, marks: null, quality: 1 }
    }),
  )

const readings = (rows: PointDayReadings[]) => rows.reduce((sum, { watts }) => sum + watts.length, 0)

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1000
}

const best = async (rounds: number, work: () => Promise<unknown>) => {
  const all: number[] = []
  for (let n = 0; n < rounds; n++) all.push(await seconds(work))
  return Math.min(...all)
}

const number = (value: number, digits = 0) =>
  new Intl.NumberFormat('fr-FR', { maximumFractionDigits: digits, minimumFractionDigits: digits }).format(value)
const show = (name: string, value: string, goal = '') =>
  console.log(`  ${name.padEnd(52)}${value.padStart(14)}${goal && `  (objectif : ${goal})`}`)
const milliseconds = (time: number) => `${number(time * 1000)} ms`

/** The same rows, written by COPY alone and then taken back: no lock, no comparison, no sums. */
async function rawCopy(db: Db, companyId: number, rows: PointDayReadings[]): Promise<number> {
  let time = 0
  const undo = new Error('undo')
  await transaction(db, async (tx) => {
    time = await seconds(async () => {
      for (let at = 0; at < rows.length; at += 4096) {
        const days = rows.slice(at, at + 4096).map((row) => ({ ...row, version: 1, receivedAt }))
        await writeCurveDays(tx, days, { companyId, source: 'model' })
      }
    })
    throw undo
  }).catch((error) => {
    if (error !== undo) throw error
  })
  return time
}

type Measured = { companyId: number; pointIds: string[]; rate: number; raw: number }

async function measureStore(db: Db, points: number, to: string): Promise<Measured> {
  const { companyId, pointIds } = await makePoints(db, points)
  const rows = makeRows(pointIds, FROM, to)
  const count = readings(rows)
  const raw = count / (await rawCopy(db, companyId, rows))
  const rate =
    count / (await seconds(() => storeReadingsAndNotify(db, companyId, rows, { source: 'model', receivedAt })))
  return { companyId, pointIds, rate, raw }
}

const faster = (a: Measured, b: Measured) => (b.rate > a.rate ? b : a)

function showStore(points: number, { rate, raw }: Measured) {
  const name = `${number(points)} points`
  show(`${name} : relevés enregistrés`, `${number(rate)}/s`, '2 000 000/s')
  show(`${name} : COPY seul des mêmes lignes`, `${number(raw)}/s`)
  show(`${name} : rapport à COPY seul`, number(rate / raw, 2))
}

/** Turn by turn, so that a noisy moment of the machine falls on both. */
async function measureStores(db: Db): Promise<Measured> {
  const [few, many] = [() => measureStore(db, FEW, TO), () => measureStore(db, MANY, addDays(FROM, DAYS_OF_MANY))]
  await few()
  let best = { few: await few(), many: await many() }
  for (let round = 0; round < ROUNDS; round++)
    best = { few: faster(best.few, await few()), many: faster(best.many, await many()) }
  showStore(FEW, best.few)
  showStore(MANY, best.many)
  show('rapport des débits, 1 000 points à 20 points', number(best.many.rate / best.few.rate, 2), '0,80 au moins')
  return best.many
}

async function measureReads(db: Db, companyId: number, pointIds: string[]) {
  const [one = ''] = pointIds
  const read = (ids: string[]) => best(5, () => loadAlignedCurves(db, companyId, ids, FROM, TO, 15))
  show('lecture d’une année d’un point', milliseconds(await read([one])), '30 ms')
  show('lecture d’une année de 200 points', milliseconds(await read(pointIds.slice(0, READ))), '600 ms')
  const hash = () => loadCurveHash(db, companyId, pointIds.slice(0, READ), FROM, TO)
  show('empreinte d’une année de 200 points', milliseconds(await best(3, hash)))
}

const { closers, open } = createBench()
try {
  const { deps } = await open()
  const many = await measureStores(deps.db)
  const year = await measureStore(deps.db, READ, TO)
  await measureReads(deps.db, year.companyId, year.pointIds)
  const day = makeRows(many.pointIds, addDays(FROM, DAYS_OF_MANY), addDays(FROM, DAYS_OF_MANY + 1))
  const time = await seconds(() =>
    storeReadingsAndNotify(deps.db, many.companyId, day, { source: 'model', receivedAt }),
  )
  show('une journée de 1 000 points, sommes comprises', milliseconds(time), '2 000 ms')
} finally {
  await closers.close()
}
