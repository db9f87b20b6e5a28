import { inject } from 'vitest'
import { buildDatabaseUrl, queryAs, runAs } from './database.ts'
import { makeUser } from './factories.ts'
import type { useServer } from './server.ts'

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

type Server = ReturnType<typeof useServer>

const getDatabaseName = (url: string) => /\/([^/?]+)(\?|$)/.exec(url)?.[1] ?? ''

/** Queries the first machine of a cluster, as a superuser. */
export const queryCluster = ({ url }: Server, text: string, values?: unknown[]) =>
  queryAs(buildDatabaseUrl(inject('postgres').machines[0] ?? '', getDatabaseName(url)), text, values)

type ShardPlacement = { shard: string; host: string; port: number }

/** The machine that stores the rows of a company. */
export async function loadShardPlacement(server: Server, companyId: number): Promise<ShardPlacement> {
  const { rows } = await queryCluster(
    server,
    `select p.shardid as shard, n.nodename as host, n.nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
      where p.shardid = get_shard_id_for_distribution_column('operations', $1::int)`,
    [companyId],
  )
  return rows[0]
}

/** Administrators of two companies on different machines, and the machine of the first. */
export async function makeAdminsOnTwoMachines(server: Server) {
  const users = await Promise.all(Array.from({ length: 6 }, () => makeUser(server.db)))
  const places = await Promise.all(users.map(({ companyId }) => loadShardPlacement(server, companyId)))
  const lost = places[0]
  const at = places.findIndex(({ port, host }) => port !== lost?.port || host !== lost?.host)
  const [firstAdmin, secondAdmin] = [users[0], users[at]]
  const machine = inject('postgres').machines.find((url) => url.includes(`:${lost?.port}/`))
  if (!machine || !firstAdmin || !secondAdmin) throw new Error('all companies are on one machine')
  return { there: firstAdmin, elsewhere: secondAdmin, machine }
}

/** A machine is unreachable for this database during the work. */
export async function withMachineDown({ url }: Pick<Server, 'url'>, machine: string, work: () => Promise<unknown>) {
  const name = getDatabaseName(url)
  await runAs(machine, [
    `alter database ${name} allow_connections false`,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
  ])
  await work().finally(() => runAs(machine, [`alter database ${name} allow_connections true`]))
}
