import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { replaceHostAndPort } from './cluster.ts'
import { findFreePort } from './process.ts'

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
