import { buildDatabaseUrl, queryAs, runAs } from './database.ts'

/** Few, so that a template is made and copied soon. */
const SHARD_COUNT = 4

/** The same role and database on another machine. */
export const replaceHostAndPort = (url: string, { host, port }: { host: string; port: number }) =>
  url.replace(/^(\w+:\/\/(?:[^@/]*@)?)[^/]*/, `$1${host}:${port}`)

/** The administrator's address on each machine of a cluster, the first one's first; of a PostgreSQL alone, its own. */
export async function listClusterMachines(admin: string): Promise<string[]> {
  const { rowCount } = await queryAs(admin, "select 1 from pg_extension where extname = 'citus'")
  if (!rowCount) return [admin]
  const { rows } = await queryAs(admin, 'select nodename as host, nodeport as port from pg_dist_node order by groupid')
  return rows.map((machine) => replaceHostAndPort(admin, machine))
}

/** A database of this name on every machine, each knowing of the others, as an administrator makes it. */
export async function joinMachines(machines: string[], name: string, roles: string[]) {
  if (machines.length < 2) return
  const [first = '', ...others] = machines.map((url) => buildDatabaseUrl(url, name))
  await runAs(first, [`alter database ${name} set citus.shard_count = ${SHARD_COUNT}`])
  for (const url of [first, ...others]) await runAs(url, ['create extension citus'])
  const place = (url: string) => `'${new URL(url).hostname}', ${new URL(url).port || 5432}`
  await runAs(first, [
    `select citus_set_coordinator_host(${place(first)})`,
    ...others.map((url) => `select citus_add_node(${place(url)})`),
    // Who owns something is told to the others; roles older than this database were not.
    ...roles.flatMap((role) => [
      'create table told (id int primary key)',
      `alter table told owner to ${role}`,
      "select create_reference_table('told')",
      'drop table told',
    ]),
  ])
}

/** Whoever looks after the machines from within this database leaves it: it can be copied then. */
export const closeDatabaseToClients = (machines: string[], name: string) =>
  Promise.all(
    machines.map((url) =>
      runAs(url, [
        `alter database ${name} allow_connections false`,
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
      ]),
    ),
  )
