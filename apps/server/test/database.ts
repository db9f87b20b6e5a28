import { randomBytes } from 'node:crypto'
import pg from 'pg'

export const TEMPLATE = 'voisol_template'

/** The same server, another database: the part before the query string ends with its name. */
export const databaseUrl = (url: string, name: string) => url.replace(/\/[^/?]*(\?|$)/, `/${name}$1`)

/** A fresh copy of the migrated template; 40 ms. */
export async function createDatabase(url: string) {
  const name = `voisol_${randomBytes(6).toString('hex')}`
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await run(`create database ${name} template ${TEMPLATE}`)
  return { url: databaseUrl(url, name), drop: () => run(`drop database ${name} with (force)`) }
}
