import { rmSync } from 'node:fs'
import { addMonths } from '@voisol/energy/calendar'
import { getToday } from '../src/today.ts'
import { queryAs } from '../test/database.ts'
import { copyDemoTo, makeTempFolder } from '../test/demo-data.ts'
import {
  fetchWithTimeout,
  findFreePort,
  getAdminUrl,
  killServer,
  readPostmaster,
  startServerProcess,
  waitUntilReady,
} from '../test/process.ts'
import { addTimesTheDemo } from './analytics-data.ts'
import { computeGrowth, findHeapFaults, findLoadFaults, MAX_HEAP_GROWTH } from './load-faults.ts'
import { computeSlope, listProcessTree, openHeap, readResidentMegabytes, readTotalMegabytes } from './measure.ts'
import {
  askSupport,
  createLedger,
  createPerson,
  createSender,
  exportReadings,
  importCurve,
  prefer,
  readings,
} from './soak-calls.ts'

/** The whole product under a mixed load for so long: what it keeps in memory must not grow, nor what it was told be lost. */
const MINUTES = Number(process.env.MINUTES ?? 60)
/** Calls begun each second, whether or not the last were answered. */
const RATE = Number(process.env.RATE ?? 15)
/** How many times the demo's data there are in all: beyond once, the rest is another company's, which is read as often. */
const TIMES = Number(process.env.TIMES ?? 1)
/** On a machine that cannot keep up, what is over it is not begun: the memory of a queue would be measured. */
const MOST_AT_ONCE = 12
/** After the first ten minutes, or the first sixth of a shorter run. */
const SETTLED = Math.min(10, MINUTES / 6)
const MOST_LOOP_MS = 100
/** Turns of a second between two of the same: a write, an import, an export, a sign-in. */
const EVERY = { write: 2, question: 5, import: 20, export: 60, signIn: 30 }
const ADMIN = 'admin@demo.voisol.fr'
const CLIENT = 'client@demo.voisol.fr'

const number = (value: number, digits = 0) =>
  new Intl.NumberFormat('fr-FR', { maximumFractionDigits: digits }).format(value)

type Sample = { hours: number; resident: number; heap: number; beside: number; together: number; loop: number }

const dataDir = makeTempFolder('voisol-soak-')
await copyDemoTo(dataDir)
const server = startServerProcess(dataDir, await findFreePort(), { NODE_OPTIONS: '--inspect=127.0.0.1:0' })
let heap: Awaited<ReturnType<typeof openHeap>> | undefined
try {
  await waitUntilReady(server)
  heap = await openHeap(/ws:\/\/\S+/.exec(server.output())?.[0] ?? '')
  const ledger = createLedger()
  const admin = await createPerson(server.base, ADMIN, ledger)
  const client = await createPerson(server.base, CLIENT, ledger)
  const last = `${addMonths(getToday(), -1).slice(0, 7)}-01`
  const month = { from: last, to: addMonths(last, 1) }
  const url = await getAdminUrl(dataDir)
  const paths = await readings(admin, month)
  const large = TIMES > 1 ? await addTimesTheDemo(url, TIMES - 1) : undefined
  const neighbour = { send: createSender(server.base, ledger, { token: large?.token ?? '' }) }
  const neighbourPaths = large ? await readings(neighbour, month) : []
  if (large)
    console.log(
      `données : ${number(large.demoPoints)} points dans la démonstration, ${number(large.points ?? 0)} en tout, ${number(large.days ?? 0)} journées de courbe, ${number(Number(large.bytes) / 1_000_000)} Mo`,
    )
  const { rows: meters } = await queryAs(url, 'select prm from points order by id limit 50')
  const database = (await readPostmaster(dataDir)).pid
  const faults = new Map<string, number>()
  let calls = 0
  let held = 0
  let atOnce = 0
  const begin = async (work: () => Promise<unknown>) => {
    if (atOnce >= MOST_AT_ONCE) return void held++
    calls++
    atOnce++
    await work().catch((error: unknown) => faults.set(String(error), (faults.get(String(error)) ?? 0) + 1))
    atOnce--
  }

  /** The demo's administrator and, where there is one, the large company's: in turn. */
  const read = (n: number) =>
    neighbourPaths.length && n % 2
      ? neighbour.send(neighbourPaths[Math.floor(n / 2) % neighbourPaths.length] ?? '/')
      : admin.send(paths[Math.floor(n / (large ? 2 : 1)) % paths.length] ?? '/')
  const second = (turn: number) => {
    for (let n = 0; n < RATE; n++) setTimeout(() => begin(() => read(turn * RATE + n)), (n * 1000) / RATE)
    if (turn % EVERY.write === 0) begin(() => prefer(client, turn))
    if (turn % EVERY.question === 0) begin(() => askSupport(client, ledger, turn))
    if (turn % EVERY.import === 0)
      begin(() => importCurve(admin, String(meters[turn % meters.length]?.prm), month.from, turn))
    if (turn % EVERY.export === 0) begin(() => exportReadings(admin, month))
    if (turn % EVERY.signIn === 0) begin(async () => (await createPerson(server.base, CLIENT, ledger)).leave())
  }

  const loopWait = async () => {
    // A busy machine may answer after the patience of a call: the measure goes on.
    const text = await fetchWithTimeout(`${server.base}/metrics`).then(
      (answer) => answer.text(),
      () => '',
    )
    return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1] ?? 0) * 1000
  }
  const samples: Sample[] = []
  const began = performance.now()
  const sample = async () => {
    const loop = await loopWait()
    const { heap: used, beside } = (await heap?.kept()) ?? { heap: 0, beside: 0 }
    const pid = server.child.pid ?? 0
    const own = {
      hours: (performance.now() - began) / 3_600_000,
      resident: readResidentMegabytes(pid),
      heap: used,
      beside,
      together: readTotalMegabytes(listProcessTree(pid, database)),
      loop,
    }
    samples.push(own)
    const { resident, together } = own
    const sizes = [resident, used, beside, together].map((size) => `${number(size)} Mo`).join(' | ')
    console.log(`| ${number(own.hours * 60)} min | ${sizes} | ${number(loop)} ms | ${number(calls)} |`)
  }
  console.log('| Après | Serveur | Tas après nettoyage | À côté du tas | Avec PostgreSQL | Boucle, p99 | Appels |')
  console.log('|---|---|---|---|---|---|---|')
  for (let turn = 0; turn < MINUTES * 60; turn++) {
    if (turn % 60 === 0) await sample()
    second(turn)
    const due = began + (turn + 1) * 1000
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
  }
  await new Promise((resolve) => setTimeout(resolve, 5000))
  await sample()
  heap?.close()

  const later = samples.filter(({ hours }) => hours * 2 >= MINUTES / 60)
  const slope = (of: (own: Sample) => number) => computeSlope(later.map((own) => [own.hours, of(own)]))
  const settled = samples.filter(({ hours }) => hours * 60 >= SETTLED).map((own) => own.heap)
  console.log(
    `tas, seconde moitié : ${number(
      slope((own) => own.heap),
      1,
    )} Mo/h`,
  )
  console.log(
    `serveur, seconde moitié : ${number(
      slope((own) => own.resident),
      1,
    )} Mo/h`,
  )
  console.log(
    `avec PostgreSQL, seconde moitié : ${number(
      slope((own) => own.together),
      1,
    )} Mo/h`,
  )
  console.log(
    `tas depuis la ${number(SETTLED)}e minute : ${number(computeGrowth(settled) * 100, 1)} % (objectif : ± ${MAX_HEAP_GROWTH * 100} %)`,
  )
  const worst = Math.max(...samples.slice(1).map(({ loop }) => loop))
  console.log(`boucle, pire p99 d’une minute : ${number(worst)} ms (objectif : ${MOST_LOOP_MS} ms)`)

  const { rows: written } = await queryAs(url, 'select request_id as id from audit_entries')
  const times = new Map<string, number>()
  for (const { id } of written) times.set(String(id), (times.get(String(id)) ?? 0) + 1)
  const { rows: asked } = await queryAs(url, 'select subject, count(*)::int as n from tickets group by 1')
  const questions = new Map(asked.map(({ subject, n }) => [String(subject), Number(n)]))
  const lost = [...ledger.writes].filter((id) => !times.has(id))
  const unasked = [...ledger.subjects].filter((subject) => !questions.has(subject))
  const twice = [...ledger.subjects].filter((subject) => (questions.get(subject) ?? 0) > 1)
  console.log(
    `registre : ${number(ledger.writes.size)} écritures acquittées, ${lost.length + unasked.length} perdues, ${twice.length} doubles`,
  )
  const sorted = ledger.times.toSorted((a, b) => a - b)
  const below = (share: number) => number(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)
  console.log(`appels : médiane ${below(0.5)} ms, 95 % ${below(0.95)} ms, 99 % ${below(0.99)} ms`)
  console.log(`${number(held)} appels retenus, la machine ne suivant pas`)
  console.log(`refus : ${JSON.stringify([...ledger.refused])}, erreurs : ${JSON.stringify([...faults])}`)
  const broken = findLoadFaults({ calls, refused: ledger.refused, thrown: faults })
  broken.push(...findHeapFaults(MINUTES, settled))
  for (const sentence of broken) console.log(sentence)
  if (broken.length) process.exitCode = 1
  // A round in which nothing was acknowledged has shown nothing.
  if (!ledger.writes.size || lost.length + unasked.length + twice.length) process.exitCode = 1
} finally {
  // A server that is looked into does not leave before whoever looks.
  heap?.close()
  await killServer(server, 'SIGTERM')
  rmSync(dataDir, { recursive: true, force: true })
}
