import { execFileSync } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbedded } from '../src/db/embedded.ts'
import { chooseAccount } from '../src/db/embedded-account.ts'
import { resolvePostgres } from '../src/db/embedded-binaries.ts'
import { APPLICATION, connection, DATABASE, OWNER, SUPERUSER } from '../src/db/embedded-connection.ts'
import { layoutOf, socketFolder, socketPlace } from '../src/db/embedded-layout.ts'
import { launch } from '../src/db/embedded-postmaster.ts'
import { queryAs } from './database.ts'

export const urlsAt = (socket: string) => ({
  url: connection(socket, DATABASE, APPLICATION),
  ownerUrl: connection(socket, DATABASE, OWNER),
  adminUrl: connection(socket, DATABASE, SUPERUSER),
})

/** Starts a PostgreSQL on a folder that has a cluster; as the program does, but without changing anything in it. */
async function startCluster(folder: string) {
  const paths = await layoutOf(folder)
  const tools = await resolvePostgres()
  const place = socketPlace(paths)
  const account = await chooseAccount(paths.cluster, [tools.postgres, paths.dir, place.parent])
  const started = await launch(paths, tools, account, await socketFolder(place, account))
  if (!started) throw new Error(`PostgreSQL did not start on ${folder}`)
  return { ...started, ...urlsAt(started.socket) }
}

/**
 * Two PostgreSQL, the second repeating what the first writes, which is acknowledged once both have it: what was
 * acknowledged is still there when the first is lost.
 */
export async function startPrimaryAndStandby(folder: string) {
  const [first, second] = [join(folder, 'primary'), join(folder, 'standby')]
  const made = await startEmbedded(first)
  await made.stop()
  execFileSync('cp', ['-Rp', `${first}/.`, second])
  const primary = await startCluster(first)
  writeFileSync(join(second, 'cluster/standby.signal'), '')
  appendFileSync(
    join(second, 'cluster/postgresql.auto.conf'),
    `primary_conninfo = 'host=${primary.socket} user=${SUPERUSER} application_name=standby'\n`,
  )
  const standby = await startCluster(second)
  await queryAs(primary.adminUrl, `alter system set synchronous_standby_names = 'standby'`)
  await queryAs(primary.adminUrl, `alter system set synchronous_commit = 'remote_apply'`)
  await queryAs(primary.adminUrl, 'select pg_reload_conf()')
  return {
    primary,
    standby,
    /** The standby takes writes from now on. */
    promote: () => queryAs(standby.adminUrl, 'select pg_promote()'),
    stop() {
      for (const { pid } of [primary, standby])
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It is gone already.
        }
    },
  }
}
