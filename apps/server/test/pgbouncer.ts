import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './process.ts'

/** Debian keeps it where only administrators look. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
export const hasPgBouncer = spawnSync('pgbouncer', ['--version'], { env }).status === 0

/** PgBouncer in transaction mode, with fewer connections than callers, before the PostgreSQL of a port. */
export async function startPgBouncer(behind: number, roles: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'voisol-bouncer-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const users = join(folder, 'users.txt')
  writeFileSync(users, roles.map((role) => `"${role}" ""\n`).join(''))
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(
    settings,
    `[databases]
voisol = host=127.0.0.1 port=${behind} dbname=voisol
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
  // It refuses to be root.
  const who = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', [...who, settings], { env, stdio: 'ignore' })
  return { port, stop: () => void child.kill('SIGKILL') }
}
