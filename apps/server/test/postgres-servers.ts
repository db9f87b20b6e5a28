import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../src/db/embedded.ts'
import { resolvePostgresBinaries } from '../src/db/embedded-binaries.ts'
import {
  APPLICATION_ROLE,
  buildConnectionUrl,
  chooseSocketPlace,
  createSocketFolder,
  DATABASE_NAME,
  OWNER_ROLE,
  resolveClusterLayout,
  SUPERUSER_ROLE,
} from '../src/db/embedded-cluster.ts'
import { startPostmaster } from '../src/db/embedded-postmaster.ts'
import { chooseProcessAccount } from '../src/db/embedded-process.ts'
import { replaceHostAndPort } from './cluster.ts'
import { queryAs } from './database.ts'
import { findFreePort } from './process.ts'

const buildRoleUrls = (socket: string) => ({
  url: buildConnectionUrl(socket, DATABASE_NAME, APPLICATION_ROLE),
  ownerUrl: buildConnectionUrl(socket, DATABASE_NAME, OWNER_ROLE),
  adminUrl: buildConnectionUrl(socket, DATABASE_NAME, SUPERUSER_ROLE),
})

/** Starts a PostgreSQL on an existing cluster folder, as the program does, without changing anything in it. */
async function startCluster(folder: string) {
  const paths = await resolveClusterLayout(folder)
  const tools = await resolvePostgresBinaries()
  const place = chooseSocketPlace(paths)
  const account = await chooseProcessAccount(paths.cluster, [tools.postgres, paths.dir, place.parent])
  const started = await startPostmaster(paths, tools, account, await createSocketFolder(place, account))
  if (!started) throw new Error(`PostgreSQL did not start on ${folder}`)
  return { ...started, ...buildRoleUrls(started.socket) }
}

/** Two PostgreSQL with synchronous replication: what was acknowledged is still there when the first is lost. */
export async function startPrimaryAndStandby(folder: string) {
  const [first, second] = [join(folder, 'primary'), join(folder, 'standby')]
  const made = await startEmbeddedPostgres(first)
  await made.stop()
  execFileSync('cp', ['-Rp', `${first}/.`, second])
  const primary = await startCluster(first)
  writeFileSync(join(second, 'cluster/standby.signal'), '')
  appendFileSync(
    join(second, 'cluster/postgresql.auto.conf'),
    `primary_conninfo = 'host=${primary.socket} user=${SUPERUSER_ROLE} application_name=standby'\n`,
  )
  const standby = await startCluster(second)
  await queryAs(primary.adminUrl, `alter system set synchronous_standby_names = 'standby'`)
  await queryAs(primary.adminUrl, `alter system set synchronous_commit = 'remote_apply'`)
  await queryAs(primary.adminUrl, 'select pg_reload_conf()')
  return {
    primary,
    standby,
    /** Makes the standby the primary. */
    promote: () => queryAs(standby.adminUrl, 'select pg_promote()'),
    stop() {
      for (const { pid } of [primary, standby])
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It has stopped already.
        }
    },
  }
}

/** Debian installs it in /usr/sbin. */
const PGBOUNCER_ENV = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
const { stdout } = spawnSync('pgbouncer', ['--version'], { env: PGBOUNCER_ENV, encoding: 'utf8' })
/** Undefined where it is not installed. */
export const pgBouncerVersion = /^PgBouncer (\S+)/m.exec(stdout ?? '')?.[1]

/** PgBouncer in transaction mode, with fewer connections than callers, before the database of these URLs. */
export async function startPgBouncer(addresses: string[]) {
  const parsedAddresses = addresses.map((address) => new URL(address))
  const [{ pathname, hostname, port: targetPort } = new URL('postgres://localhost/')] = parsedAddresses
  const name = pathname.slice(1)
  const folder = mkdtempSync(join(tmpdir(), 'voisol-bouncer-'))
  chmodSync(folder, 0o755)
  const port = await findFreePort()
  const users = join(folder, 'users.txt')
  writeFileSync(users, parsedAddresses.map(({ username, password }) => `"${username}" "${password}"\n`).join(''))
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(
    settings,
    `[databases]
${name} = host=${hostname} port=${targetPort} dbname=${name}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 5
max_client_conn = 200
`,
  )
  // It refuses to run as root.
  const userArgs = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', [...userArgs, settings], { env: PGBOUNCER_ENV, stdio: 'ignore' })
  const urls = addresses.map((address) => replaceHostAndPort(address, { host: '127.0.0.1', port }))
  return { urls, stop: () => void child.kill('SIGKILL') }
}
