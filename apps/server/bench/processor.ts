import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import type { Db } from '../src/db/client.ts'

const parentOf = (pid: string) =>
  Number(
    readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')[1],
  )

const timeOf = (pid: string) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000

/** Microseconds of processor that every process of this PostgreSQL has had; Linux tells. */
export function postgresTime(postmaster: number): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .reduce((sum, name) => {
      try {
        return parentOf(name) === postmaster ? sum + timeOf(name) : sum
      } catch {
        // It has just ended.
        return sum
      }
    }, 0)
}

/** The process whose children answer this database's questions. */
export async function postmasterOf(db: Db): Promise<number> {
  const { rows } = await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  return parentOf(String(rows[0]?.pid))
}

export type Spent = { server: number; postgres: number }

/** Milliseconds of processor that the server's thread and PostgreSQL spend meanwhile; a busy machine adds nothing to them. */
export async function spentOn(postmaster: number, work: () => Promise<unknown>): Promise<Spent> {
  const before = [process.threadCpuUsage(), postgresTime(postmaster)] as const
  await work()
  const { user, system } = process.threadCpuUsage(before[0])
  return { server: (user + system) / 1000, postgres: (postgresTime(postmaster) - before[1]) / 1000 }
}
