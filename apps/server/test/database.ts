import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { applyCitusSettings } from '../src/db/citus.ts'
import { openDatabase } from '../src/db/client.ts'

export const TEMPLATE_DATABASE = 'voisol_template'
/** Made with the commands and the rights that docs/operations.md gives: a grant that is missing fails in every suite. */
export const TEST_ROLES = { owner: 'voisol_test_owner', application: 'voisol_test_app' }

/**
 * One server as its administrator, the owner of the test databases and the application reach it; `run` names its databases.
 * Of a cluster it is the first of `machines`, each of which has a database of the same name.
 */
export type TestPostgres = { admin: string; owner: string; application: string; run: string; machines: string[] }

/** The same server, another database: the part before the query string ends with its name. */
export const buildDatabaseUrl = (url: string, name: string) => url.replace(/\/[^/?]*(\?|$)/, `/${name}$1`)

/** The same server, another role. */
export const replaceRole = (url: string, role: string, password = '') =>
  url.replace(/^(\w+:\/\/)(?:[^@/]*@)?/, `$1${role}${password && `:${password}`}@`)

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return work(client).finally(() => client.end())
}

export const queryAs = (url: string, text: string, values?: unknown[]) =>
  withClient(url, (client) => client.query(text, values))

export const runAs = (url: string, statements: string[]) =>
  withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement)
  })

/** Of a server whose databases live as long as the run: nothing need outlive the machine. */
export const disableDurability = (admin: string) =>
  runAs(admin, [
    ...['fsync', 'full_page_writes', 'synchronous_commit'].map((name) => `alter system set ${name} = off`),
    'select pg_reload_conf()',
  ])

/** What is set for a database does not come with its copy. */
async function storeCopySettings(machines: string[], name: string) {
  if (machines.length < 2) return
  const db = openDatabase(buildDatabaseUrl(machines[0] ?? '', name), 1)
  await applyCitusSettings(db).finally(() => db.$client.end())
}

/** File by file: half the work of writing each block to the log. */
async function copyDatabase({ machines, run }: TestPostgres, template: string) {
  const name = `${run}_${randomBytes(6).toString('hex')}`
  const statement = `create database ${name} template ${template} owner ${TEST_ROLES.owner} strategy file_copy`
  await Promise.all(machines.map((url) => runAs(url, [statement])))
  if (template === TEMPLATE_DATABASE) await storeCopySettings(machines, name)
  return name
}

export async function dropDatabase(machines: string[], name: string) {
  await Promise.all(machines.map((url) => runAs(url, [`drop database if exists ${name} with (force)`])))
}

/** A copy waits for a checkpoint of the whole server: that of the next file is made beside the tests of this one. */
let nextCopy: Promise<string> | undefined
function takeTemplateCopy(postgres: TestPostgres) {
  const taken = nextCopy ?? copyDatabase(postgres, TEMPLATE_DATABASE)
  nextCopy = taken.then(() => copyDatabase(postgres, TEMPLATE_DATABASE))
  nextCopy.catch(() => {}) // told to whoever takes it
  return taken
}

/** A fresh copy of the migrated template, or of another. */
export async function createTestDatabase(postgres: TestPostgres, template = TEMPLATE_DATABASE) {
  const name = await (template === TEMPLATE_DATABASE ? takeTemplateCopy(postgres) : copyDatabase(postgres, template))
  return {
    url: buildDatabaseUrl(postgres.application, name),
    ownerUrl: buildDatabaseUrl(postgres.owner, name),
    drop: () => dropDatabase(postgres.machines, name),
  }
}

/** What a run leaves behind: copies nobody took, and those whose end nobody waited for. */
export async function dropTestDatabases({ admin, machines, run }: TestPostgres) {
  const { rows } = await queryAs(admin, 'select datname from pg_database where datname like $1', [`${run}\\_%`])
  for (const { datname } of rows) await dropDatabase(machines, datname)
}
