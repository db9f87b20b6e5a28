import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { type Purpose, purposeNow } from './purpose.ts'

/** A statement that has ended, well or not. Times are those of `performance`, in milliseconds. */
export type Statement = { text: string; from: number; ms: number; rows: number | undefined; error: unknown }
export type Listener = (statement: Statement, purpose: Purpose | undefined) => void

type Ended = (error: unknown, result?: { rowCount?: number | null }) => void
type Query = (...given: unknown[]) => unknown
type Taken = Parameters<pg.Pool['connect']>[0]

const textOf = (first: unknown): string =>
  typeof first === 'string' ? first : typeof first === 'object' && first && 'text' in first ? String(first.text) : ''
/** What is streamed goes at the pace of whoever reads or writes it: its length says nothing of the database. */
const isStreamed = (first: unknown) => typeof first === 'object' && first !== null && 'submit' in first

function clockOf(text: string, heard: Listener): Ended {
  const from = performance.now()
  const purpose = purposeNow()
  return (error, result) =>
    heard({ text, from, ms: performance.now() - from, rows: result?.rowCount ?? undefined, error }, purpose)
}

function watchClient(client: pg.PoolClient, heard: Listener) {
  const query: Query = client.query.bind(client)
  const watched: Query = (first, ...rest) => {
    if (isStreamed(first)) return query(first, ...rest)
    const ended = clockOf(textOf(first), heard)
    const call = rest.at(-1)
    if (typeof call !== 'function')
      return (query(first, ...rest) as Promise<{ rowCount?: number | null }>).then(
        (result) => {
          ended(undefined, result)
          return result
        },
        (error) => {
          ended(error)
          throw error
        },
      )
    const told: Ended = (error, result) => {
      ended(error, result)
      call(error, result)
    }
    return query(first, ...rest.slice(0, -1), told)
  }
  client.query = watched as typeof client.query // each of its forms, but for the streamed ones, which pass through
}

/** Everything that a pool is asked from now on, with what it was asked for. */
export function watchStatements(pool: pg.Pool, listeners: Listener[]): void {
  if (listeners.length === 0) return
  pool.on('connect', (client) =>
    watchClient(client, (statement, purpose) => {
      for (const heard of listeners) heard(statement, purpose)
    }),
  )
  const connect = pool.connect.bind(pool)
  // Whoever waited for a connection is called by the one that gave it back, and must not pass for them.
  const taking = (taken?: Taken) => (taken ? connect(AsyncLocalStorage.bind(taken)) : connect())
  pool.connect = taking as pg.Pool['connect'] // both of its forms
}
