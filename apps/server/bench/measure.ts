import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import type { Db } from '../src/db/client.ts'

/**
 * The size of a bench, or the one of a smoke round (`BENCH_SMOKE=1`): every line of the bench runs once, as cheaply as it
 * can, and its figures say nothing.
 */
export const pickSize = <T>(full: T, smoke: T): T => (process.env.BENCH_SMOKE ? smoke : full)

const loadParentId = (pid: string) => Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/^PPid:\s+(\d+)/m)?.[1])
const readCpuMicroseconds = (pid: string) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000

/** Microseconds of processor that every process of this PostgreSQL has had; Linux tells. */
export function readPostgresMicroseconds(postmaster: number): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .reduce((sum, name) => {
      try {
        return loadParentId(name) === postmaster ? sum + readCpuMicroseconds(name) : sum
      } catch {
        // It has just ended.
        return sum
      }
    }, 0)
}

/** The process whose children answer this database's questions. */
export async function findPostmaster(db: Db): Promise<number> {
  const { rows } = await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  return loadParentId(String(rows[0]?.pid))
}

export type Spent = { server: number; postgres: number }

/** Milliseconds of processor that the server's thread and PostgreSQL spend meanwhile; a busy machine adds nothing to them. */
export async function measureCpu(postmaster: number, work: () => Promise<unknown>): Promise<Spent> {
  const before = [process.threadCpuUsage(), readPostgresMicroseconds(postmaster)] as const
  await work()
  const { user, system } = process.threadCpuUsage(before[0])
  return { server: (user + system) / 1000, postgres: (readPostgresMicroseconds(postmaster) - before[1]) / 1000 }
}

const MB = 1024 * 1024

type Reply = { id: number; result: { result?: { value?: unknown } } }

/** Asks a running server, by its inspector, for what it still holds once everything unused is gone. */
export async function openHeap(address: string) {
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  let last = 0
  const waiting = new Map<number, (reply: Reply) => void>()
  socket.onmessage = ({ data }) => {
    const reply: Reply = JSON.parse(String(data))
    waiting.get(reply.id)?.(reply)
    waiting.delete(reply.id)
  }
  const send = (method: string, params = {}) =>
    new Promise<Reply>((resolve) => {
      waiting.set(++last, resolve)
      socket.send(JSON.stringify({ id: last, method, params }))
    })
  return {
    /** Megabytes: of the heap, and of the buffers beside it. */
    async kept() {
      await send('HeapProfiler.collectGarbage')
      const expression = 'JSON.stringify(process.memoryUsage())'
      const { result } = await send('Runtime.evaluate', { expression })
      const { heapUsed, external }: NodeJS.MemoryUsage = JSON.parse(String(result.result?.value))
      return { heap: heapUsed / MB, beside: external / MB }
    },
    close: () => socket.close(),
  }
}

const readMegabytes = (pid: number | string, file: string, name: string) => {
  const found = readFileSync(`/proc/${pid}/${file}`, 'utf8').match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm'))
  return Number(found?.[1] ?? 0) / 1024
}

/** Megabytes in memory of one process. */
export const readResidentMegabytes = (pid: number) => readMegabytes(pid, 'status', 'VmRSS')

/** Every process below these, themselves included; Linux tells. */
export function listProcessTree(...roots: number[]): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one)))
    try {
      parents.set(Number(name), loadParentId(name))
    } catch {
      // It has just ended.
    }
  const family = new Set(roots)
  for (let size = 0; size !== family.size; ) {
    size = family.size
    for (const [pid, parent] of parents) if (family.has(parent)) family.add(pid)
  }
  return [...family]
}

/** Megabytes of all of them together: what several share counts once. */
export const readTotalMegabytes = (pids: number[]) =>
  pids.reduce((sum, pid) => {
    try {
      return sum + readMegabytes(pid, 'smaps_rollup', 'Pss')
    } catch {
      return sum
    }
  }, 0)

/** Megabytes an hour, by least squares over (hours, megabytes). */
export function computeSlope(points: [number, number][]): number {
  const mean = (of: (point: [number, number]) => number) =>
    points.reduce((sum, one) => sum + of(one), 0) / points.length
  const [x, y] = [mean(([at]) => at), mean(([, value]) => value)]
  const spread = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0)
  return points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0) / (spread || 1)
}
