import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { loadConfig } from '../src/config.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { openDeps } from '../src/deps.ts'
import { keyOf, makeCopy, placeOf, restoreCopy } from '../src/features/administration/backups/backups.ts'
import { findSource } from '../src/features/administration/backups/source.ts'
import { prepareDatabase } from '../src/prepare-database.ts'

/** Seconds of processor, server and PostgreSQL together, for ten million readings. */
const MOST = { copy: 20, restore: 60 }
const POINTS = 286
const DAYS = 365

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
const source = await startEmbedded(join(from, 'postgres'))
const target = await startEmbedded(join(to, 'postgres'))
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

let failed = false
try {
  await prepareDatabase(deps.db, source)
  await deps.db.$client.query(`insert into companies (id, name) overriding system value values (1, 'Mesure')`)
  await deps.db.$client.query(FILL)
  const copied = await effort(source.pid, () => makeCopy(deps))
  const { source: copy } = await findSource(placeOf(config), 'latest')
  const order = {
    source: copy,
    key: keyOf(config),
    secretKey: config.secretKey,
    url: target.url,
    ownerUrl: target.ownerUrl,
  }
  const restored = await effort(target.pid, () => restoreCopy(order))
  const readings = ((POINTS * DAYS * 96) / 1e6).toFixed(1)
  console.log(`${readings} M de relevés copiés\u00a0: ${copied.toFixed(1)} s de processeur (au plus ${MOST.copy})`)
  console.log(`restaurés, relecture comprise\u00a0: ${restored.toFixed(1)} s (au plus ${MOST.restore})`)
  failed = copied > MOST.copy || restored > MOST.restore
} finally {
  await close()
  await Promise.all([source.stop(), target.stop()])
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)
