import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Deps } from './deps.ts'
import { findDemoCompany, findDemoDay } from './features/admin/demo/index.ts'
import { getToday } from './today.ts'

const ENEDIS_PROGRAM = join(import.meta.dirname, '../../simulator/src/main.ts')
const WEATHER_PROGRAM = join(import.meta.dirname, '../../simulator/src/weather/main.ts')
const PAYMENT_PROGRAM = join(import.meta.dirname, '../../simulator/src/payments/main.ts')
const RESTART_DELAY_MS = 2000
const MAX_RESTART_DELAY_MS = 60_000
/** After this time, a crash counts as a new one. */
const STABLE_AFTER_MS = 60_000
const STOP_TIMEOUT_MS = 3000
const Line = z.object({ url: z.url({ protocol: /^http$/ }) })

export type SimulatorProcess = { pid(): number | undefined; stop(): Promise<void> }
type Child = ChildProcessByStdio<Writable, Readable, Readable>

/** The reference day of the demo; the simulator uses the same scenario. */
async function loadScenarioAnchor({ db }: Deps): Promise<string> {
  const companyId = await findDemoCompany(db)
  return (companyId !== undefined && (await findDemoDay(db, companyId))) || getToday()
}

/** A simulator that runs beside the server: its program, arguments, and where its address is stored. */
type SimulatorProgram = { name: string; hosts: { local: string | null }; args(): Promise<string[]> }

// Processes that share the folder each have their own store.
const getSimulatorStorePath = ({ config }: Deps, name: string) =>
  join(config.dataDir, config.ROLE === 'worker' ? `${name}-worker.json` : `${name}.json`)

/** Only environment variables that a program needs to run, and none of our secrets. */
function spawnSimulator(args: string[], port: string): Child {
  const { PATH = '', LD_LIBRARY_PATH = '', TMPDIR = '', TZ = '' } = process.env
  const env = { PATH, LD_LIBRARY_PATH, TMPDIR, ...(TZ && { TZ }) }
  return spawn(process.execPath, [...args, '--with-parent', '--port', port], { env, stdio: ['pipe', 'pipe', 'pipe'] })
}

/** Reports the address once it listens, and returns its last output when it ends. */
async function watchProcess(child: Child, listening: (url: string) => void): Promise<string> {
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-2000)
  })
  child.stdin.on('error', () => {})
  createInterface({ input: child.stdout }).on('line', (line) => {
    const read = Line.safeParse(parseJsonOrUndefined(line))
    if (read.success) listening(read.data.url.replace(/\/$/, ''))
  })
  const ended = once(child, 'exit').then(([code, signal]) => `${code ?? signal}`)
  const reason = await ended.catch((error: unknown) => String(error))
  return `${reason} ${words}`.trim()
}

function parseJsonOrUndefined(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/**
 * Keeps the distributor simulator running beside the demo, at one address. Nothing waits for it: until it listens, and
 * after a crash, calls fail as with a distributor that is down.
 */
export const startEnedisSimulator = (deps: Deps): SimulatorProcess =>
  superviseSimulator(deps, {
    name: 'enedis sandbox',
    hosts: deps.enedis.hosts,
    args: async () => {
      const more = deps.config.ENEDIS_QUOTAS === 'off' ? ['--no-quotas'] : []
      return [
        ENEDIS_PROGRAM,
        '--store',
        getSimulatorStorePath(deps, 'enedis-sandbox'),
        '--anchor',
        await loadScenarioAnchor(deps),
        ...more,
      ]
    },
  })

/** The same for the online payment provider. */
export const startPaymentSimulator = (deps: Deps): SimulatorProcess =>
  superviseSimulator(deps, {
    name: 'payment sandbox',
    hosts: deps.payments.hosts,
    args: async () => [PAYMENT_PROGRAM, '--store', getSimulatorStorePath(deps, 'payment-sandbox')],
  })

/** The same for the weather provider. */
export const startWeatherSimulator = (deps: Deps): SimulatorProcess =>
  superviseSimulator(deps, { name: 'weather sandbox', hosts: deps.weather, args: async () => [WEATHER_PROGRAM] })

function superviseSimulator(deps: Deps, { name, hosts, args }: SimulatorProgram): SimulatorProcess {
  const stop = new AbortController()
  let child: Child | undefined
  let port = '0'

  async function runOnce(given: string[]) {
    child = spawnSimulator(given, port)
    if (stop.signal.aborted) child.kill()
    let listened = false
    const reason = await watchProcess(child, (url) => {
      listened = true
      port = new URL(url).port
      hosts.local = url
    })
    hosts.local = null
    // The port may have been taken meanwhile.
    if (!listened) port = '0'
    if (!stop.signal.aborted) deps.log.warn({ reason }, `${name} ended`)
  }

  async function run() {
    let pause = RESTART_DELAY_MS
    const given = await args()
    while (!stop.signal.aborted) {
      const began = Date.now()
      await runOnce(given)
      if (Date.now() - began > STABLE_AFTER_MS) pause = RESTART_DELAY_MS
      await sleep(pause, undefined, stop).catch(() => {})
      pause = Math.min(pause * 2, MAX_RESTART_DELAY_MS)
    }
  }
  const running = run().catch((error: unknown) => deps.log.error({ err: error }, name))

  return {
    pid: () => child?.pid,
    async stop() {
      stop.abort()
      child?.kill()
      const cut = setTimeout(() => child?.kill('SIGKILL'), STOP_TIMEOUT_MS)
      await running
      clearTimeout(cut)
    },
  }
}
