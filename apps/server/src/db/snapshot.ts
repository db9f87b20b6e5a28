import { type Db, transaction } from './client.ts'

/** Reads everything as of one moment: a run that ends meanwhile would otherwise be seen by halves. */
export const readSnapshot = <T>(db: Db, read: (view: Db) => Promise<T>): Promise<T> =>
  transaction(db, async (view) => {
    // Inside the transaction of somebody else, its own view holds.
    if (view !== db) await view.$client.query('set transaction isolation level repeatable read read only')
    return read(view)
  })
