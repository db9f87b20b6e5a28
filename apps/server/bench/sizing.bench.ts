import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addMonths, dayStart, localTime } from '@voisol/energy/calendar'
import { openDatabase, transaction } from '../src/db/client.ts'
import { createFirstKey } from '../src/features/energy/allocation-keys/create-key.ts'
import { queryAs } from '../test/database.ts'
import { makeTempFolder } from '../test/demo-data.ts'
import {
  findFreePort,
  getAdminUrl,
  killServer,
  type ServerProcess,
  startServerProcess,
  waitUntilReady,
} from '../test/process.ts'
import { signedIn } from './bench-session.ts'
import { FROM, makeOperation, type Operation, wattsAt } from './billing-data.ts'
import { findPostmaster, listProcessTree, pickSize, readResidentMegabytes, readTotalMegabytes } from './measure.ts'

/**
 * The whole product on a machine of so much memory and so many cores, and a month of so many points: one process with its own
 * database, or as many of each role as are named (`ROLES=web,web,worker,worker`) on that of `DATABASE_URL`.
 */
const MB = Number(process.env.MB ?? 512)
const CORES = Number(process.env.CORES ?? 1)
const POINTS = Number(process.env.POINTS ?? pickSize(100, 3))
const ROLES = (process.env.ROLES ?? 'all').split(',')
const { DATABASE_URL } = process.env
const GROUP = `/sys/fs/cgroup/memory/voisol-sizing-${process.pid}`
const GROUP2 = `/sys/fs/cgroup/voisol-sizing-${process.pid}`
const TO = addMonths(FROM, 1)
/** A file beyond what may be sent is cut by whoever sends it. */
const POINTS_OF_A_FILE = 1000
const LOOK_MS = 100
const COUNT_MS = 1000
/** A busy machine is no failure. */
const START_MS = 900_000
const number = (value: number) => new Intl.NumberFormat('fr-FR').format(Math.round(value))

/** A limit that Linux keeps, swap included; undefined where nobody may set one. */
function limit(): { add(pid: number): void; killed(): number; remove(): void } | undefined {
  const first = existsSync('/sys/fs/cgroup/memory')
  const folder = first ? GROUP : GROUP2
  try {
    mkdirSync(folder)
    writeFileSync(join(folder, first ? 'memory.limit_in_bytes' : 'memory.max'), String(MB * 1024 * 1024))
  } catch {
    return undefined
  }
  const told = () => readFileSync(join(folder, first ? 'memory.oom_control' : 'memory.events'), 'utf8')
  return {
    add: (pid) => writeFileSync(join(folder, 'cgroup.procs'), String(pid)),
    killed: () => Number(/^oom_kill (\d+)/m.exec(told())?.[1] ?? 0),
    remove: () => rmdirSync(folder),
  }
}

function wideFile(points: Operation['points']): string {
  const lines = [`Début;${points.map(({ prm }) => `${prm} (W)`).join(';')}`]
  for (let minute = dayStart(FROM); minute < dayStart(TO); minute += 15) {
    const { day, minuteOfDay } = localTime(minute)
    const d = Number(day.slice(8)) - 1
    lines.push(
      `${new Date(minute * 60_000).toISOString()};${points.map(({ direction }, p) => wattsAt(direction, p, d, minuteOfDay / 15)).join(';')}`,
    )
  }
  return `${lines.join('\n')}\n`
}

const dataDir = makeTempFolder('voisol-sizing-')
const group = limit()
if (!group) console.log('aucune limite ne peut être posée ici : la mémoire est mesurée, non limitée')
const environment = { DEMO: 'off', ...(DATABASE_URL && { DATABASE_URL }) }
type Own = { role: string; server: ServerProcess; pid: number }
const servers: Own[] = []
const peak = { together: 0, during: '', connections: 0, each: new Map(ROLES.map((role) => [role, 0])) }
let step = 'démarrage'
let database = 0
const family = () => listProcessTree(...(database ? [database] : []), ...servers.map(({ pid }) => pid))
const watch = setInterval(() => {
  try {
    const together = readTotalMegabytes(family())
    for (const { role, pid } of servers)
      peak.each.set(role, Math.max(peak.each.get(role) ?? 0, readResidentMegabytes(pid)))
    if (together > peak.together) Object.assign(peak, { together, during: step })
  } catch {
    // It has just ended.
  }
}, LOOK_MS)
let counting: NodeJS.Timeout | undefined

async function start(role: string): Promise<void> {
  const server = startServerProcess(dataDir, await findFreePort(), { ...environment, ROLE: role })
  const pid = server.child.pid ?? 0
  group?.add(pid)
  execFileSync('taskset', ['-acp', `0-${CORES - 1}`, String(pid)], { stdio: 'ignore' })
  servers.push({ role, server, pid })
  await waitUntilReady(server, START_MS)
}

try {
  for (const role of ROLES) await start(role)
  const url = DATABASE_URL ?? (await getAdminUrl(dataDir))
  const db = openDatabase(url, 2)
  database = await findPostmaster(db)
  counting = setInterval(async () => {
    const { rows } = await queryAs(
      url,
      `select count(*) as n from pg_stat_activity where backend_type = 'client backend'`,
    )
    peak.connections = Math.max(peak.connections, Number(rows[0]?.n) - 1)
  }, COUNT_MS)
  const asked = servers.filter(({ role }) => role !== 'worker')
  let calls = 0
  const made = await makeOperation(db, POINTS - 1, 1)
  const { companyId, operation, points } = made
  const actor = { companyId } as never // all that it reads of the actor
  const headers = { authorization: `Bearer ${await signedIn(db, companyId)}` }

  const call = async (path: string, method = 'GET', body?: unknown, raw?: string) => {
    const type = raw === undefined ? 'application/json' : 'application/octet-stream'
    const base = asked[calls++ % asked.length]?.server.base
    const answer = await fetch(`${base}/api/${path}`, {
      method,
      headers: { ...headers, ...(method !== 'GET' && { 'content-type': type }) },
      body: raw ?? (method === 'GET' ? null : JSON.stringify(body ?? {})),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${bytes.toString().slice(0, 500)}`)
    // biome-ignore lint/suspicious/noExplicitAny: a measure reads what the server really sent
    return { bytes, json: (): any => JSON.parse(bytes.toString()) }
  }
  const until = async (
    path: string,
    wanted: (body: ReturnType<Awaited<ReturnType<typeof call>>['json']>) => boolean,
  ) => {
    for (;;) {
      const body = (await call(path)).json()
      if (wanted(body)) return body
      if (['failed', 'refused'].includes(body.status ?? body.state)) throw new Error(JSON.stringify(body).slice(0, 500))
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  const atRest = async () => {
    const left = `select count(*)::int as n from jobs.job where state < 'completed' and start_after <= now() and name not like '\\_\\_pgboss%'`
    while (Number((await queryAs(url, left)).rows[0]?.n)) await new Promise((resolve) => setTimeout(resolve, 500))
  }
  const onDisk = async () => Number((await queryAs(url, 'select pg_database_size(current_database()) as n')).rows[0]?.n)
  const timed = async (name: string, work: () => Promise<unknown>) => {
    step = name
    const from = performance.now()
    await work()
    const now = readTotalMegabytes(family())
    console.log(`| ${name} | ${number(performance.now() - from)} ms | ${number(now)} Mo |`)
  }

  console.log('| Étape | Durée | Mémoire de tous les processus, à la fin |\n|---|---|---|')
  const before = await onDisk()
  await timed(`import d’un mois de ${POINTS} points`, async () => {
    for (let first = 0; first < points.length; first += POINTS_OF_A_FILE) {
      const file = wideFile(points.slice(first, first + POINTS_OF_A_FILE))
      const { id } = (await call('curve-imports?name=mois.csv', 'POST', undefined, file)).json()
      await until(`curve-imports/${id}`, ({ status }) => status === 'ready')
      await call(`curve-imports/${id}/commit`, 'POST')
      await until(`curve-imports/${id}`, ({ status }) => status === 'done')
    }
    await atRest()
  })
  // Only now: what is shared already, a further file would change, and a person would have to see how.
  await transaction(db, (tx) =>
    createFirstKey(tx, actor, operation.id, { method: 'default', startsOn: FROM, shares: [] }),
  )
  await db.$client.end()
  const runs = `acc-operations/${operation.id}/allocation-runs`
  await timed('répartition', async () => {
    await call(runs, 'POST', { from: FROM, to: TO, kind: 'provisional' })
    await until(
      runs,
      ({ items }) => items.length > 0 && items.every(({ status }: { status: string }) => status === 'done'),
    )
  })
  const month = `billing/months/${operation.id}/${FROM.slice(0, 7)}`
  await timed('clôture du mois', () => call(`${month}/close`, 'POST', { reason: 'Mesure de la mémoire.' }))
  await timed('émission et PDF de tous les documents', async () => {
    await call(`${month}/issue`, 'POST')
    await atRest()
    const { items } = (await call('invoices?size=100')).json()
    for (const { id } of items) await call(`invoices/${id}/pdf`)
  })
  await timed('export Parquet du mois', async () => {
    const { id } = (
      await call('exports', 'POST', { dataSet: 'readings', from: FROM, to: TO, format: 'parquet' })
    ).json()
    await until(`exports/${id}`, ({ state }) => state === 'done')
    await call(`exports/${id}/file`)
  })
  await timed('copie entière', async () => {
    await queryAs(
      url,
      `insert into jobs.job (name, data, policy) select name, '{"askedBy":"Mesure"}', policy from jobs.queue where name = 'copies.make'`,
    )
    await atRest()
  })
  await timed('nuit : constats et prévisions', async () => {
    await queryAs(
      url,
      `insert into jobs.job (name, data, policy) select name, '{}', policy from jobs.queue where name in ('insights.nightly', 'forecasts.night')`,
    )
    await new Promise((resolve) => setTimeout(resolve, 3000))
    await atRest()
  })
  console.log(
    `base sur le disque : ${number((await onDisk()) / 1e6)} Mo, dont ${number(((await onDisk()) - before) / 1e6)} pour ce mois`,
  )
} finally {
  clearInterval(watch)
  clearInterval(counting)
  console.log(
    `pointe de tous les processus : ${number(peak.together)} Mo (${peak.during}) ; connexions : ${peak.connections}`,
  )
  for (const [role, most] of peak.each) console.log(`un processus « ${role} » : ${number(most)} Mo au plus`)
  const killed = group?.killed() ?? 0
  console.log(group ? `limite de ${MB} Mo : ${killed} processus tués faute de mémoire` : 'sans limite')
  if (killed || (!group && peak.together > MB)) process.exitCode = 1
  for (const { server } of servers) await killServer(server, 'SIGTERM')
  group?.remove()
  rmSync(dataDir, { recursive: true, force: true })
}
