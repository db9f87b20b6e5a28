import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { getCurrentPurpose, type Purpose } from './purpose.ts'

/** A finished statement, successful or not. Times are those of `performance`, in milliseconds. */
export type ExecutedStatement = { text: string; from: number; ms: number; rows: number | undefined; error: unknown }
export type StatementListener = (statement: ExecutedStatement, purpose: Purpose | undefined) => void

type QueryCallback = (error: unknown, result?: { rowCount?: number | null }) => void
type Query = (...given: unknown[]) => unknown
type ConnectCallback = Parameters<pg.Pool['connect']>[0]

const getStatementText = (first: unknown): string =>
  typeof first === 'string' ? first : typeof first === 'object' && first && 'text' in first ? String(first.text) : ''
/** A stream runs at the pace of its reader or writer: its duration says nothing about the database. */
const isStreamed = (first: unknown) => typeof first === 'object' && first !== null && 'submit' in first

function startStatementTimer(text: string, heard: StatementListener): QueryCallback {
  const from = performance.now()
  const purpose = getCurrentPurpose()
  return (error, result) =>
    heard({ text, from, ms: performance.now() - from, rows: result?.rowCount ?? undefined, error }, purpose)
}

function observeClient(client: pg.PoolClient, heard: StatementListener) {
  const query: Query = client.query.bind(client)
  const queryWithSpan: Query = (first, ...rest) => {
    if (isStreamed(first)) return query(first, ...rest)
    const ended = startStatementTimer(getStatementText(first), heard)
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
    const finishStatement: QueryCallback = (error, result) => {
      ended(error, result)
      call(error, result)
    }
    return query(first, ...rest.slice(0, -1), finishStatement)
  }
  client.query = queryWithSpan as typeof client.query // each of its forms, but for the streamed ones, which pass through
}

/** Observes every statement of a pool, with its purpose. */
export function observeStatements(pool: pg.Pool, listeners: StatementListener[]): void {
  if (listeners.length === 0) return
  pool.on('connect', (client) =>
    observeClient(client, (statement, purpose) => {
      for (const heard of listeners) heard(statement, purpose)
    }),
  )
  const connect = pool.connect.bind(pool)
  // A waiting caller is resumed by whoever returns the connection, and must keep its own context.
  const taking = (taken?: ConnectCallback) => (taken ? connect(AsyncLocalStorage.bind(taken)) : connect())
  pool.connect = taking as pg.Pool['connect'] // both of its forms
}
