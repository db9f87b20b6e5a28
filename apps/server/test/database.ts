import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openDatabase } from '../src/db/client.ts'
import { keepSettings } from '../src/db/spread.ts'

export const TEMPLATE = 'voisol_template'
/** Made with the commands and the rights that docs/operations.md gives: a grant that is missing fails in every suite. */
export const ROLES = { owner: 'voisol_test_owner', application: 'voisol_test_app' }

/**
 * One server as its administrator, the owner of the test databases and the application reach it; `run` names its databases.
 * Of a cluster it is the first of `machines`, each of which has a database of the same name.
 */
export type Postgres = { admin: string; owner: string; application: string; run: string; machines: string[] }

/** The same server, another database: the part before the query string ends with its name. */
export const databaseUrl = (url: string, name: string) => url.replace(/\/[^/?]*(\?|$)/, `/${name}$1`)

/** The same server, another role. */
export const asRole = (url: string, role: string, password = '') =>
  url.replace(/^(\w+:\/\/)(?:[^@/]*@)?/, `$1${role}${password && `:${password}`}@`)

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return work(client).finally(() => client.end())
}

export const queryAs = (url: string, text: string, values?: unknown[]) =>
  connected(url, (client) => client.query(text, values))

export const runAs = (url: string, statements: string[]) =>
  connected(url, async (client) => {
    for (const statement of statements) await client.query(statement)
  })

/** Of a server whose databases live as long as the run: nothing need outlive the machine. */
export const forgetDurability = (admin: string) =>
  runAs(admin, [
    ...['fsync', 'full_page_writes', 'synchronous_commit'].map((name) => `alter system set ${name} = off`),
    'select pg_reload_conf()',
  ])

/** What is set for a database does not come with its copy. */
async function settleCopy(machines: string[], name: string) {
  if (machines.length < 2) return
  const db = openDatabase(databaseUrl(machines[0] ?? '', name), 1)
  await keepSettings(db).finally(() => db.$client.end())
}

/** File by file: half the work of writing each block to the log. */
async function copy({ machines, run }: Postgres, template: string) {
  const name = `${run}_${randomBytes(6).toString('hex')}`
  const statement = `create database ${name} template ${template} owner ${ROLES.owner} strategy file_copy`
  await Promise.all(machines.map((url) => runAs(url, [statement])))
  if (template === TEMPLATE) await settleCopy(machines, name)
  return name
}

export async function dropOn(machines: string[], name: string) {
  await Promise.all(machines.map((url) => runAs(url, [`drop database if exists ${name} with (force)`])))
}

/** A copy waits for a checkpoint of the whole server: that of the next file is made beside the tests of this one. */
let ahead: Promise<string> | undefined
function takeCopy(postgres: Postgres) {
  const taken = ahead ?? copy(postgres, TEMPLATE)
  ahead = taken.then(() => copy(postgres, TEMPLATE))
  ahead.catch(() => {}) // told to whoever takes it
  return taken
}

/** A fresh copy of the migrated template, or of another. */
export async function createDatabase(postgres: Postgres, template = TEMPLATE) {
  const name = await (template === TEMPLATE ? takeCopy(postgres) : copy(postgres, template))
  return {
    url: databaseUrl(postgres.application, name),
    ownerUrl: databaseUrl(postgres.owner, name),
    drop: () => dropOn(postgres.machines, name),
  }
}

/** What a run leaves behind: copies nobody took, and those whose end nobody waited for. */
export async function dropAll({ admin, machines, run }: Postgres) {
  const { rows } = await queryAs(admin, 'select datname from pg_database where datname like $1', [`${run}\\_%`])
  for (const { datname } of rows) await dropOn(machines, datname)
}
