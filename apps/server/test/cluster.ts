import { buildDatabaseUrl, queryAs, runAs } from './database.ts'

/** Few, so that a template is created and copied quickly. */
const SHARD_COUNT = 4

/** The same role and database on another machine. */
export const replaceHostAndPort = (url: string, { host, port }: { host: string; port: number }) =>
  url.replace(/^(\w+:\/\/(?:[^@/]*@)?)[^/]*/, `$1${host}:${port}`)

/** The administrator's URL of each machine of a cluster, the first machine first; for a single PostgreSQL, its own. */
export async function listClusterMachines(admin: string): Promise<string[]> {
  const { rowCount } = await queryAs(admin, "select 1 from pg_extension where extname = 'citus'")
  if (!rowCount) return [admin]
  const { rows } = await queryAs(admin, 'select nodename as host, nodeport as port from pg_dist_node order by groupid')
  return rows.map((machine) => replaceHostAndPort(admin, machine))
}

/** Creates a database of this name on every machine, registered with one another, as an administrator would. */
export async function joinMachines(machines: string[], name: string, roles: string[]) {
  if (machines.length < 2) return
  const [first = '', ...others] = machines.map((url) => buildDatabaseUrl(url, name))
  await runAs(first, [`alter database ${name} set citus.shard_count = ${SHARD_COUNT}`])
  for (const url of [first, ...others]) await runAs(url, ['create extension citus'])
  const place = (url: string) => `'${new URL(url).hostname}', ${new URL(url).port || 5432}`
  await runAs(first, [
    `select citus_set_coordinator_host(${place(first)})`,
    ...others.map((url) => `select citus_add_node(${place(url)})`),
    // Citus forwards ownership, but not for roles older than this database.
    ...roles.flatMap((role) => [
      'create table told (id int primary key)',
      `alter table told owner to ${role}`,
      "select create_reference_table('told')",
      'drop table told',
    ]),
  ])
}

/** The Citus maintenance process leaves this database, so that it can be copied. */
export const closeDatabaseToClients = (machines: string[], name: string) =>
  Promise.all(
    machines.map((url) =>
      runAs(url, [
        `alter database ${name} allow_connections false`,
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
      ]),
    ),
  )
