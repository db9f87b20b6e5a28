import { connect } from 'node:net'
import { STATUS_PARTS, type StatusPartName } from '@voisol/contract/incident-words'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { checkDatabase, loadQueueDepths } from '../../../http/checks.ts'
import { JOBS_COMPONENT } from '../../../jobs/heartbeat.ts'

export const COMPONENT_LABELS = STATUS_PARTS
export type ComponentName = StatusPartName
export type ProbeState = 'operational' | 'degraded' | 'down'
export type ProbeStates = Record<ComponentName, ProbeState>

const PROBE_TIMEOUT_MS = 2000

/** True when a job ran in the last minutes, or when the database is too new for one to have run. */
const HEARTBEAT_QUERY =
  "select count(*) = 0 or max(at) > now() - interval '3 minutes' as beats from status_samples where component = $1"

async function probeQueue(db: Db): Promise<ProbeState> {
  try {
    const [depths, { rows }] = await Promise.all([
      loadQueueDepths(db),
      db.$client.query<{ beats: boolean }>(HEARTBEAT_QUERY, [JOBS_COMPONENT]),
    ])
    const isLate = depths.some(({ late }) => late > 0) || !rows[0]?.beats
    return isLate ? 'degraded' : 'operational'
  } catch {
    return 'down'
  }
}

/** Opens a connection to the mail server without sending anything. */
const probeMail = (url: string | undefined) =>
  new Promise<ProbeState>((resolve) => {
    if (!url) return resolve('down')
    const { hostname, port, protocol } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port || (protocol === 'smtps:' ? 465 : 587)) })
    const end = (state: ProbeState) => {
      socket.destroy()
      resolve(state)
    }
    socket.setTimeout(PROBE_TIMEOUT_MS, () => end('down'))
    socket.once('connect', () => end('operational')).once('error', () => end('down'))
  })

export async function measureStatus({ db, config }: Deps): Promise<Omit<ProbeStates, 'site'>> {
  const [database, mail] = await Promise.all([checkDatabase(db), probeMail(config.SMTP_URL)])
  return {
    database: database ? 'operational' : 'down',
    queue: database ? await probeQueue(db) : 'down',
    mail,
  }
}

/** Where the site answers: this process, or the public address when the site runs elsewhere. */
function getSiteAddress({ ROLE, HOST, PORT, PUBLIC_URL }: Config) {
  if (ROLE === 'worker') return PUBLIC_URL
  if (PORT === 0) return undefined
  const host = ['0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
}

/** Undefined when the process does not know the address of the site. */
export async function probeSite(config: Config): Promise<ProbeState | undefined> {
  const base = getSiteAddress(config)
  if (!base) return undefined
  try {
    const answer = await fetch(new URL('/healthz', base), { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    await answer.arrayBuffer()
    return answer.ok ? 'operational' : 'down'
  } catch {
    return 'down'
  }
}
