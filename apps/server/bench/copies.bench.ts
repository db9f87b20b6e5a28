import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { loadConfig } from '../src/config.ts'
import { startEmbeddedPostgres } from '../src/db/embedded.ts'
import { openDeps } from '../src/deps.ts'
import { makeCopy, openCopyStore, requireBackupKey, restoreCopy } from '../src/features/admin/backups/index.ts'
import { requireCopySource } from '../src/features/admin/backups/restore-copy.ts'
import { prepareDatabase } from '../src/prepare-database.ts'
import { pickSize } from './measure.ts'

/** Seconds of processor, server and PostgreSQL together, for ten million readings. */
const MOST = { copy: 20, restore: 60, burden: 0.2 }
const TURNS = pickSize(4, 1)
const WRITES = pickSize(1500, 2)
const POINTS = pickSize(286, 2)
const DAYS = pickSize(365, 2)

/** Seconds of processor that every process of this PostgreSQL has had; Linux tells. */
function postgresTime(pid: number): number {
  const stat = (name: string) =>
    readFileSync(`/proc/${name}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
  const time = (name: string) => Number(readFileSync(`/proc/${name}/schedstat`, 'utf8').split(' ')[0]) / 1e9
  // Those that have ended are counted by whoever started them, in hundredths of a second.
  const ended = Number(stat(`${pid}`)[13]) / 100 + Number(stat(`${pid}`)[14]) / 100
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .reduce((sum, name) => {
      try {
        return Number(stat(name)[1]) === pid ? sum + time(name) : sum
      } catch {
        // It has just ended.
        return sum
      }
    }, ended)
}

const folders = [mkdtempSync(join(tmpdir(), 'voisol-bench-')), mkdtempSync(join(tmpdir(), 'voisol-bench-'))]
const [from = '', to = ''] = folders
const source = await startEmbeddedPostgres(join(from, 'postgres'))
const target = await startEmbeddedPostgres(join(to, 'postgres'))
const config = loadConfig({ NODE_ENV: 'test', DATA_DIR: from, LOG_LEVEL: 'silent' })
const { deps, close } = openDeps(config, source.url, pino({ level: 'silent' }))

async function effort(pid: number, work: () => Promise<unknown>): Promise<number> {
  const [own, theirs] = [process.cpuUsage(), postgresTime(pid)]
  await work()
  const { user, system } = process.cpuUsage(own)
  return (user + system) / 1e6 + Math.max(0, postgresTime(pid) - theirs)
}

/** Days of quarters whose values no two share, so that packing has something to do. */
const FILL = `
  insert into curve_days (company_id, point_id, day, version, step, watts, quality, present, expected, energy, peak, source, received_at)
  select 1, p.id, d::date, 1, 15,
         (select string_agg(int4send(((extract(epoch from d)::bigint / 900 + q * 7 + p.n * 13) % 6000)::int), '' order by q)
            from generate_series(1, 96) q), 1, 96, 96, 1000, 6000, 'import', now()
    from (select gen_random_uuid() as id, n from generate_series(1, ${POINTS}) n) p,
         generate_series(date '2025-01-01', date '2025-01-01' + ${DAYS - 1}, interval '1 day') d`

/** Milliseconds of processor that the writer's own process of PostgreSQL has had. */
const timeOf = (pid: number) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

const WRITE = `
  insert into curve_days (company_id, point_id, day, version, step, watts, quality, present, expected, energy, peak, source, received_at)
  values (1, gen_random_uuid(), date '2026-01-01', 1, 15, $1, 1, 96, 96, 1000, 6000, 'import', now())`

/** Writes one row after the other for as long as `work` lasts, at least so many; gives the time of one. */
async function writeBeside(client: pg.Client, pid: number, least: number, work: () => Promise<unknown>) {
  let over = false
  const beside = work().finally(() => {
    over = true
  })
  const before = timeOf(pid)
  let count = 0
  while (!over || count < least) {
    await client.query(WRITE, [Buffer.alloc(384, count % 251)])
    count++
  }
  await beside
  return { count, spent: timeOf(pid) - before }
}

/** How much more of the processor a write takes while a copy is made, turn by turn in one run. */
async function burden(): Promise<number> {
  const client = new pg.Client({ connectionString: source.url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid ?? 0
  const sums = { alone: { count: 0, spent: 0 }, beside: { count: 0, spent: 0 } }
  const add = (into: { count: number; spent: number }, more: { count: number; spent: number }) => {
    into.count += more.count
    into.spent += more.spent
  }
  await writeBeside(client, pid, pickSize(500, 1), async () => {})
  for (let turn = 0; turn < TURNS; turn++) {
    add(sums.alone, await writeBeside(client, pid, WRITES, async () => {}))
    add(sums.beside, await writeBeside(client, pid, WRITES, () => makeCopy(deps)))
  }
  await client.end()
  return sums.beside.spent / sums.beside.count / (sums.alone.spent / sums.alone.count) - 1
}

let failed = false
try {
  await prepareDatabase(deps.db, source)
  await deps.db.$client.query(`insert into companies (id, name) overriding system value values (1, 'Mesure')`)
  await deps.db.$client.query(FILL)
  const copied = await effort(source.pid, () => makeCopy(deps))
  const { source: copy } = await requireCopySource(openCopyStore(config), 'latest')
  const order = {
    source: copy,
    key: requireBackupKey(config),
    secretKey: config.secretKey,
    url: target.url,
    ownerUrl: target.ownerUrl,
  }
  const restored = await effort(target.pid, () => restoreCopy(order))
  const more = await burden()
  const readings = ((POINTS * DAYS * 96) / 1e6).toFixed(1)
  console.log(`${readings} M de relevés copiés\u00a0: ${copied.toFixed(1)} s de processeur (au plus ${MOST.copy})`)
  console.log(`restaurés, relecture comprise\u00a0: ${restored.toFixed(1)} s (au plus ${MOST.restore})`)
  const [extra, limit] = [more, MOST.burden].map((share) => `${Math.round(share * 100)}\u00a0%`)
  console.log(`une écriture pendant une copie\u00a0: ${extra} de processeur en plus (moins de ${limit})`)
  console.log(`charge de la machine\u00a0: ${loadavg()[0]?.toFixed(1)}`)
  failed = copied > MOST.copy || restored > MOST.restore || more >= MOST.burden
} finally {
  await close()
  await Promise.all([source.stop(), target.stop()])
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
if (failed) process.exitCode = 1
