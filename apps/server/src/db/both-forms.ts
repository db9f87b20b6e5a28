import type pg from 'pg'

export type PoolConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: pg.PoolClient['release'],
) => void

/** Builds both forms of `pool.connect`, promise and callback, from the callback form; the pool itself uses that one. */
export const wrapPoolConnect = (take: (taken: PoolConnectCallback) => void): pg.Pool['connect'] =>
  ((taken?: PoolConnectCallback) =>
    taken
      ? take(taken)
      : new Promise((resolve, reject) => {
          take((error, client) => (client ? resolve(client) : reject(error)))
        })) as pg.Pool['connect'] // both of its forms
