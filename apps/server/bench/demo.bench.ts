import { seedDemo } from '../src/db/seed/demo.ts'
import { fillDemo, findDemoCompany } from '../src/features/admin/demo/fill-demo.ts'
import { startQueue, stopQueue } from '../src/jobs/queue.ts'
import { getToday } from '../src/today.ts'
import { copyDemoTo } from '../test/demo-data.ts'
import { createBench } from './bench-installation.ts'
import { pickSize } from './measure.ts'

const TARGET_MS = 30_000
/** How often somebody is supposed to ask, and the part of those who may wait longest. */
const EVERY_MS = 5
const RARE = 0.01
/** A smoke round takes the demo that `npm test` has made, in which there is nothing left to fill: making it costs a minute. */
const IS_DEMO_COPIED = pickSize(false, true)

const number = (value: number) => new Intl.NumberFormat('fr-FR').format(Math.round(value))
const show = (name: string, value: string, goal = '') =>
  console.log(`  ${name.padEnd(52)}${value.padStart(14)}${goal && `  (objectif : ${goal})`}`)

/** How long others had to wait for their turn in the process, and how much of that it was at work. */
function watchLoop() {
  const waits: number[] = []
  let longestWork = 0
  let last = performance.now()
  let cpu = process.threadCpuUsage()
  const timer = setInterval(() => {
    waits.push(performance.now() - last - EVERY_MS)
    const { user, system } = process.threadCpuUsage(cpu)
    longestWork = Math.max(longestWork, (user + system) / 1000)
    last = performance.now()
    cpu = process.threadCpuUsage()
  }, EVERY_MS)
  return () => {
    clearInterval(timer)
    return { waits: waits.sort((a, b) => b - a), longestWork }
  }
}

const { folder, closers, open } = createBench()
try {
  if (IS_DEMO_COPIED) await copyDemoTo(folder)
  const { deps, url } = await open()
  const { jobs } = await import('../src/jobs/registry.ts')
  const queue = await startQueue(deps, url, jobs, false)
  closers.add(() => stopQueue(queue))
  if (!IS_DEMO_COPIED) await seedDemo(deps)
  const companyId = await findDemoCompany(deps.db)
  if (companyId === undefined) throw new Error('no demo company')
  const fill = () => fillDemo(deps, { companyId, today: getToday() })
  const stop = watchLoop()
  const before = process.cpuUsage()
  const from = performance.now()
  const { days, runs } = await fill()
  const time = performance.now() - from
  const { user, system } = process.cpuUsage(before)
  const { waits, longestWork } = stop()
  show(
    `démonstration entière, ${number(days)} jours de relevés, ${runs} calculs`,
    `${number(time)} ms`,
    `${number(TARGET_MS)} ms`,
  )
  show('processeur du serveur', `${number((user + system) / 1000)} ms`)
  show('plus longue attente d’une requête', `${number(waits[0] ?? 0)} ms`)
  show('dont processeur, au plus', `${number(longestWork)} ms`)
  show('attente dépassée une fois sur cent', `${number(waits[Math.floor(waits.length * RARE)] ?? 0)} ms`)
  if (!IS_DEMO_COPIED) {
    const again = performance.now()
    const second = await fill()
    if (second.days || second.runs) throw new Error('a second pass found something to do')
    show('second passage, sans rien à faire', `${number(performance.now() - again)} ms`)
  }
} finally {
  await closers.close()
}
