import { execFileSync } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../src/db/embedded.ts'
import { chooseProcessAccount } from '../src/db/embedded-account.ts'
import { resolvePostgresBinaries } from '../src/db/embedded-binaries.ts'
import {
  APPLICATION_ROLE,
  buildConnectionUrl,
  DATABASE_NAME,
  OWNER_ROLE,
  SUPERUSER_ROLE,
} from '../src/db/embedded-connection.ts'
import { chooseSocketPlace, createSocketFolder, resolveClusterLayout } from '../src/db/embedded-layout.ts'
import { startPostmaster } from '../src/db/embedded-postmaster.ts'
import { queryAs } from './database.ts'

export const buildRoleUrls = (socket: string) => ({
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
