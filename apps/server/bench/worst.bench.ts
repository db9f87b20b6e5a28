import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { keys } from '@voisol/contract/keys'
import { buildApp } from '../src/app.ts'
import { assignSiteOwner } from '../src/core/assign-site-owner.ts'
import { transaction } from '../src/db/client.ts'
import { startQueue, stopQueue } from '../src/jobs/queue.ts'
import { jobs } from '../src/jobs/registry.ts'
import { call, type TestServer } from '../test/client.ts'
import { makeUser } from '../test/factories.ts'
import { makeOperationFixture, requestKeyDraft } from '../test/factories-energy.ts'
import type { Attack, Shot } from './attack-worker.ts'
import { createBench } from './bench-installation.ts'
import { pickSize } from './measure.ts'
import type { Felt, Neighbour } from './neighbour-worker.ts'
import { bomb, coefficients, tangledText, wideFile } from './worst-files.ts'

const TARGET_MS = 250
const YEAR = { from: '2025-01-01', to: pickSize('2026-01-01', '2025-01-03') }
/** Requests of an attack. */
const [MANY, FEW, FEWEST] = pickSize([20, 8, 4], [1, 1, 1])
const SLOW_CONNECTIONS = pickSize(200, 2)
/** How long an attack waits for its answers, and how long slow connections go on. */
const SECONDS = { answer: 130, slow: pickSize(130, 1) }
const REST_MS = pickSize({ attacked: 500, quiet: 5000 }, { attacked: 50, quiet: 50 })
const COLUMNS = pickSize(600_000, 60)
const IDS = pickSize(300_000, 30)
const ARCHIVE_BYTES = pickSize(120_000_000, 1200)
const shared = (bytes: Uint8Array) => {
  const memory = new SharedArrayBuffer(bytes.byteLength)
  new Uint8Array(memory).set(bytes)
  return memory
}
const json = (body: unknown) => shared(Buffer.from(JSON.stringify(body)))
const times = (n: number, shot: (at: number) => Shot): Shot[] => Array.from({ length: n }, (_, at) => shot(at))
const file = (path: string, body: SharedArrayBuffer): Shot => ({ method: 'POST', path, body })

const number = (value: number) => new Intl.NumberFormat('fr-FR').format(Math.round(value))

const { closers, open } = createBench({ LOG_LEVEL: 'error' })

/** Starts the server with one company that has a year of readings of twelve consumers, and a neighbour. */
async function prepare() {
  const { deps, url } = await open()
  const queue = await startQueue(deps, url, jobs, true)
  closers.add(() => stopQueue(queue))
  const app = await buildApp(deps)
  closers.add(() => app.close())
  const server = { app, deps, db: deps.db } as TestServer // what the factories use of it
  const scene = await makeOperationFixture(server, {
    ...YEAR,
    producers: [9137],
    consumers: Array.from({ length: pickSize(12, 2) }, (_, n) => 211 + 7 * n),
  })
  await transaction(deps.db, (tx) => assignSiteOwner(tx, deps.files, scene.companyId))
  const { body: key } = await requestKeyDraft(server, scene, { method: 'simple' })
  const neighbour = await makeUser(deps.db)
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  await call(server, keys.compare, { params: { id: scene.operation.id }, query: YEAR }, scene)
  return { port, scene, key, neighbour }
}

function attacksOf({ scene, key }: Awaited<ReturnType<typeof prepare>>): [string, Shot[], number][] {
  const { id } = scene.operation
  const people = '/api/participants/import?name=a.csv&dryRun=true'
  const wide = shared(wideFile(COLUMNS))
  const trapped = shared(bomb(pickSize(55_000_000, 550_000)))
  const [long, broad] = [shared(coefficients(pickSize(900, 3))), shared(coefficients(pickSize(300_000, 3)))]
  const archive = shared(new Uint8Array(ARCHIVE_BYTES))
  const comparison = `/api/acc-operations/${id}/comparison?from=${YEAR.from}&to=${YEAR.to}`
  const ids = json({ kind: 'load-curve', operationId: id, pointIds: Array(IDS).fill(0), ...YEAR })
  const preview = (at: number): Shot => ({
    method: 'POST',
    path: '/api/cms/preview',
    body: json({ body: tangledText(at, pickSize(90_000, 90)) }),
    json: true,
  })
  const pasted = json({ csv: `email;nom;prénom;${'c;'.repeat(pickSize(240_000, 24))}`, dryRun: true })
  return [
    // What the machine itself makes everybody wait: the others are read against it.
    ['personne', [], 0],
    ['20 fichiers d’un million de colonnes', times(MANY, () => file(people, wide)), 0],
    ['20 classeurs piégés', times(MANY, () => file(people, trapped)), 0],
    ['20 textes imbriqués', times(MANY, preview), 0],
    ['20 comparaisons d’une année', times(MANY, () => ({ method: 'GET', path: comparison })), 0],
    [
      '8 fichiers de coefficients de 20 Mo',
      times(FEW, () => file(`/api/keys/${key.id}/coefficients?name=a.csv&dryRun=true`, long)),
      0,
    ],
    [
      '8 fichiers de coefficients très larges',
      times(FEW, () => file(`/api/keys/${key.id}/coefficients?name=a.csv&dryRun=true`, broad)),
      0,
    ],
    ['8 courbes d’un million de colonnes', times(FEW, () => file('/api/curve-imports?name=a.csv', wide)), 0],
    [
      '4 fichiers du distributeur de 120 Mo',
      times(FEWEST, () => file('/api/distributor-files?name=a.zip', archive)),
      0,
    ],
    [
      '20 listes de 300 000 faux identifiants',
      times(MANY, () => ({ method: 'POST', path: '/api/sync/tasks', body: ids, json: true })),
      0,
    ],
    [
      '20 listes de personnes très larges',
      times(MANY, () => ({ method: 'POST', path: '/api/users/import', body: pasted, json: true })),
      0,
    ],
    [`${SLOW_CONNECTIONS} connexions qui traînent`, [], SLOW_CONNECTIONS],
  ]
}

async function measure(neighbour: Worker, attack: Attack): Promise<{ felt: Felt; answers: Record<string, number> }> {
  neighbour.postMessage('begin')
  const [answers] = await once(
    new Worker(new URL('./attack-worker.ts', import.meta.url), { workerData: attack }),
    'message',
  )
  await new Promise((resolve) => setTimeout(resolve, attack.shots.length ? REST_MS.attacked : REST_MS.quiet))
  neighbour.postMessage('tell')
  const [felt] = await once(neighbour, 'message')
  return { felt, answers }
}

try {
  const world = await prepare()
  const { port, scene } = world
  const paths = ['/healthz', '/api/auth/me', '/api/acc-operations']
  const beside: Neighbour = { port, token: world.neighbour.token, paths }
  const attacks = attacksOf(world)
  const neighbour = new Worker(new URL('./neighbour-worker.ts', import.meta.url), { workerData: beside })
  closers.add(async () => void (await neighbour.terminate()))
  console.log(`  pire attente d’un voisin, en ms (objectif : ${TARGET_MS})  ${paths.join('  ')}`)
  const wanted = process.argv[2] ?? ''
  for (const [name, shots, trickles] of attacks.filter(([name]) => name.includes(wanted))) {
    const from = performance.now()
    const { felt, answers } = await measure(neighbour, {
      port,
      token: scene.token,
      shots,
      trickles,
      seconds: shots.length ? SECONDS.answer : SECONDS.slow,
    })
    const worst = paths.map((path) => number(felt[path]?.worst ?? Number.NaN).padStart(7)).join('')
    const said = Object.entries(answers).map(([how, n]) => `${n} × ${how}`)
    console.log(`  ${name.padEnd(42)}${worst}   ${said.join(', ')}  (${number((performance.now() - from) / 1000)} s)`)
    if (paths.some((path) => (felt[path]?.worst ?? 0) > TARGET_MS)) process.exitCode = 1
  }
} finally {
  await closers.close()
}
