import { statSync } from 'node:fs'
import { join } from 'node:path'
import { permissions } from '@voisol/contract/permissions'
import { listDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../src/db/client.ts'
import { companies } from '../src/db/schema/index.ts'
import type { Deps } from '../src/deps.ts'
import type { ExportOrder } from '../src/features/admin/exports/export-order.ts'
import { finishExportFile, NO_PROGRESS, writeExportDraft } from '../src/features/admin/exports/write-export.ts'
import { storeReadingsAndNotify } from '../src/features/energy/curves/index.ts'
import { type Actor, NO_SESSION } from '../src/http/actor.ts'
import { createBench } from './bench-installation.ts'
import { findPostmaster, pickSize, readPostgresMicroseconds } from './measure.ts'

const [FROM, TO] = ['2025-01-01', pickSize('2026-01-01', '2025-02-01')]
/** With a year of quarter hours each, a hundred million readings; `POINTS=200` for a first look. */
const POINTS = Number(process.env.POINTS ?? pickSize(2855, 2))
const MIB = 1024 * 1024

/** One point as meters say it, and the same days for all the others. */
async function fill(db: Db): Promise<number> {
  const [company] = await db.insert(companies).values({ name: 'Mesure' }).returning()
  if (!company) throw new Error('no company to measure with')
  const { rows } = await db.execute<{ id: string }>(sql`
    insert into points (company_id, prm, direction, segment)
    select ${company.id}, lpad(n::text, 14, '10000000000000'), 'consumption', 'C5' from generate_series(1, ${POINTS}) n returning id`)
  const [first = { id: '' }] = rows
  const days = listDays(FROM, TO).map((day, d) => {
    const watts = Int32Array.from({ length: 96 }, (_, at) => (d * 104_729 + at * at * 31) % 6000)
    return { pointId: first.id, day, step: 15 as const, watts, marks: null, quality: 1 as const }
  })
  const received = { source: 'model', receivedAt: new Date('2026-01-02T08:00:00Z') } as const
  await storeReadingsAndNotify(
    db,
    company.id,
    days.filter(({ day }) => !['2025-03-30', '2025-10-26'].includes(day)),
    received,
  )
  await db.execute(sql`
    insert into curve_days (company_id, point_id, day, version, step, watts, quality, present, expected, energy, peak, source, received_at)
    select d.company_id, p.id, d.day, 1, d.step, d.watts, d.quality, d.present, d.expected, d.energy, d.peak, d.source, d.received_at
      from curve_days d join points p on p.company_id = d.company_id and p.id <> d.point_id
     where d.company_id = ${company.id}`)
  return company.id
}

const houseOf = (companyId: number): Actor => ({
  kind: 'job',
  companyId,
  userId: NO_SESSION,
  sessionId: NO_SESSION,
  email: '',
  firstName: '',
  lastName: '',
  space: 'office',
  permissions,
  operationIds: null,
  keepsSite: false,
})

const number = (value: number, digits = 0) =>
  new Intl.NumberFormat('fr-FR', { maximumFractionDigits: digits, minimumFractionDigits: digits }).format(value)
const show = (name: string, value: string, goal = '') =>
  console.log(`  ${name.padEnd(56)}${value.padStart(16)}${goal && `  (objectif : ${goal})`}`)

async function measure(deps: Deps, companyId: number, folder: string, shape: Pick<ExportOrder, 'format' | 'to'>) {
  const order: ExportOrder = {
    dataSet: 'readings',
    from: FROM,
    operationId: null,
    participantId: null,
    dialect: 'rfc',
    ...shape,
  }
  const postmaster = await findPostmaster(deps.db)
  const place = join(folder, crypto.randomUUID())
  const before = {
    rss: process.memoryUsage().rss,
    cpu: process.cpuUsage(),
    postgres: readPostgresMicroseconds(postmaster),
  }
  let peak = before.rss
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 50)
  const from = performance.now()
  const writing = { deps, actor: houseOf(companyId), order, folder: place, save: async () => true }
  const written = await writeExportDraft(writing, NO_PROGRESS)
  const path = await finishExportFile(order, written?.rows ?? 0, place)
  clearInterval(timer)
  const seconds = (performance.now() - from) / 1000
  const { user, system } = process.cpuUsage(before.cpu)
  const rows = written?.rows ?? 0
  return {
    rows,
    bytes: statSync(path).size,
    wall: rows / seconds,
    own: (rows / (user + system)) * 1e6,
    all: (rows / (user + system + readPostgresMicroseconds(postmaster) - before.postgres)) * 1e6,
    more: (peak - before.rss) / MIB,
  }
}

const { closers, open, folder } = createBench({ COMPUTE_THREADS: '1' })
try {
  const { deps } = await open()
  const companyId = await fill(deps.db)
  // The thread and what it runs are there before the clock is.
  await measure(deps, companyId, folder, { format: 'parquet', to: '2025-01-03' })
  await measure(deps, companyId, folder, { format: 'csv', to: '2025-01-03' })
  const parquet = await measure(deps, companyId, folder, { format: 'parquet', to: TO })
  show('relevés exportés en Parquet', number(parquet.rows))
  show('par seconde de processeur', `${number(parquet.own)}/s`, '500 000/s')
  show('par seconde de processeur, PostgreSQL compris', `${number(parquet.all)}/s`)
  show('par seconde d’horloge', `${number(parquet.wall)}/s`)
  show('mémoire prise en plus', `${number(parquet.more)} Mo`, '150 Mo')
  show('octets par relevé', number(parquet.bytes / parquet.rows, 2))
  const csv = await measure(deps, companyId, folder, { format: 'csv', to: '2025-02-01' })
  show('CSV, archive comprise : par seconde de processeur', `${number(csv.own)}/s`)
  show('CSV : mémoire prise en plus', `${number(csv.more)} Mo`)
} finally {
  await closers.close()
}
